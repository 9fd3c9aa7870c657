import { ButtonStyle, PermissionFlagsBits } from 'discord.js';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** Of a custom id: whose key is linked, and what goes on then. */
export const argsOf = (owner: KeyOwner['kind'], draftId: string | undefined): string[] => [
  owner === 'guild' ? 'server' : 'own',
  ...(draftId === undefined ? [] : [draftId]),
];

export const ownerOf = ([arg]: readonly string[]): KeyOwner['kind'] =>
  arg === 'server' ? 'guild' : 'member';

export const draftOf = ([, draftId]: readonly string[]): string | undefined => draftId;

/** Throws `UserError` where the caller may not touch the server's key, or is in no server. */
export function keyOwner(
  owner: KeyOwner['kind'],
  { caller, permissions, texts }: Pick<Invocation, 'caller' | 'permissions' | 'texts'>,
): KeyOwner {
  if (owner === 'member') return { kind: 'member', id: caller.member.id };
  if (caller.guildId === null) throw new UserError(texts.refusal.serverOnly);
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild)) {
    throw new UserError(texts.refusal.needsManageServer);
  }
  return { kind: 'guild', id: caller.guildId };
}

/** Opens the form for a login token. */
export const createKeyButton = ({ apiKey }: Texts, draftId?: string): Button =>
  button(ButtonStyle.Primary, apiKey.create, customId('apikey', 'create', ...argsOf('member', draftId)));
