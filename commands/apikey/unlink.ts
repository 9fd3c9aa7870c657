import { recordAction } from '../../src/bot/record-action.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Message } from '../../src/messages/message.ts';
import { accountOf, masked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { argsOf, ownerWithRight } from './key-target.ts';
import { linkedKeyOf, noKeyLinked } from './link.ts';
import { revokeButton } from './revoke.ts';

/** Says before it is done that an unlinked key stays valid at the service, and what would end that. */
export async function confirmUnlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts } = invocation;
  const { apiKey } = texts;
  const linked = await linkedKeyOf(ownerWithRight(kind, invocation), invocation);
  return {
    content: apiKey.confirmUnlink[kind](masked(linked), accountOf(linked)),
    rows: rowsOf(
      button.danger(apiKey.unlink, customId('apikey', 'unlink', ...argsOf(kind, undefined))),
      kind === 'member' ? revokeButton(texts) : undefined,
      button.secondary(apiKey.cancel, customId('apikey', 'cancel')),
    ),
  };
}

export async function unlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts, context } = invocation;
  const owner = ownerWithRight(kind, invocation);
  const existed = await context.keys.credentials.unlink(owner);
  if (!existed) throw noKeyLinked(kind, texts);
  await recordAction(invocation, kind === 'guild' ? owner.id : null, { event: 'key-unlinked', owner: kind });
  return { content: texts.apiKey.unlinked(kind) };
}
