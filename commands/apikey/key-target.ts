import { guildWithRight } from '../../src/bot/guild-rights.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Invocation } from './invocation.ts';

/** Of a custom id: whose key is linked, and what goes on then. */
export const argsOf = (kind: KeyOwner['kind'], draftId?: string) => [
  kind === 'guild' ? 'server' : 'own',
  draftId,
];

export const kindOf = ([arg]: readonly string[]): KeyOwner['kind'] => (arg === 'server' ? 'guild' : 'member');

export const draftOf = ([, draftId]: readonly string[]): string | undefined => draftId;

/** Throws `UserError` where the caller may not touch the server's key, or is in no server. */
export function ownerWithRight(invocation: Invocation, kind: KeyOwner['kind']): KeyOwner {
  return kind === 'member'
    ? { kind: 'member', id: invocation.caller.member.id }
    : { kind: 'guild', id: guildWithRight(invocation, 'ManageGuild') };
}

export const createKeyButton = ({ apiKey }: Texts, draftId?: string): Button =>
  button.primary(apiKey.create, customId('apikey', 'create', ...argsOf('member', draftId)));
