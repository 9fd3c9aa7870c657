import { ServiceError } from '@darkroom/image-api';
import { takeAttempt } from '../../src/bot/key-errors.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { accountOf, masked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { ownerWithRight } from './key-target.ts';
import { linkedKeyOf, noKeyLinked } from './link.ts';

/** The linked key, or every key of its account. */
type Which = 'this' | 'all';

/** As the custom ids have it: without a word it is the linked one. */
export const whichOf = ([which]: readonly string[]): Which => (which === 'all' ? 'all' : 'this');

export const revokeButton = ({ apiKey }: Texts) => button.danger(apiKey.revoke, customId('apikey', 'revoke'));

/** Revoking cannot be undone: it is asked once more. */
export async function confirmRevoke(invocation: Invocation): Promise<Message> {
  const { texts } = invocation;
  const linked = await linkedKeyOf(ownerWithRight('member', invocation), invocation);
  return {
    content: texts.apiKey.confirmRevoke(masked(linked), accountOf(linked)),
    rows: rowsOf(
      revokeButton(texts),
      button.danger(texts.apiKey.revokeAll, customId('apikey', 'revoke', 'all')),
      button.secondary(texts.apiKey.cancel, customId('apikey', 'cancel')),
    ),
  };
}

/** The linked key revokes itself; where the service wants the login token as well, a button asks for it. */
export async function revoke(invocation: Invocation, which: Which, token: string | undefined): Promise<void> {
  const { reply, texts, context } = invocation;
  const { credentials, images } = context.keys;
  const owner = ownerWithRight('member', invocation);
  await reply.deferUpdate();
  const linked = await credentials.open(owner);
  if (!linked) throw noKeyLinked('member', texts);
  await takeAttempt('key', invocation);
  const { apiKey } = linked;
  const wantsToken = ({ kind }: ServiceError) =>
    kind === 'unauthorized' || (kind === 'refused' && token === undefined);
  await images.revokeKey({ apiKey, token, all: which === 'all' }).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || !wantsToken(cause)) throw cause;
    const sentence = token === undefined ? texts.apiKey.revokeWithToken : texts.refusal.tokenRejected;
    const nextStep = button.primary(
      texts.apiKey.enterToken,
      customId('apikey', 'token', ...(which === 'all' ? [which] : [])),
    );
    throw new UserError(sentence, { nextStep, cause });
  });
  // The service may have taken its time: another key that its member has linked meanwhile stays.
  await credentials.unlink(owner, apiKey);
  await recordAction(invocation, null, { event: 'key-revoked', owner: 'member' });
  const { revoked, revokedAll } = texts.apiKey;
  await reply.editReply({ content: which === 'all' ? revokedAll : revoked(masked(linked)) });
}
