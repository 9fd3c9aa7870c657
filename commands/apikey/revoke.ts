import { ServiceError } from '@darkroom/image-api';
import { takeAttempt } from '../../src/bot/key-errors.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { accountOf, masked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { argsOf, ownerWithRight } from './key-target.ts';
import { linkedKeyOf, noKeyLinked } from './link.ts';

/** The linked key, or every key of its account. */
type Which = 'this' | 'all';

/** As the custom ids have it: without a word it is the linked one. */
export const whichOf = ([which]: readonly string[]): Which => (which === 'all' ? 'all' : 'this');

const revokeButton = ({ apiKey }: Texts) => button.danger(apiKey.revoke, customId('apikey', 'revoke'));

/** Revoking cannot be undone: it is asked once more. */
export async function confirmRevoke(invocation: Invocation): Promise<Message> {
  const { texts } = invocation;
  const linked = await linkedKeyOf(ownerWithRight('member', invocation), invocation);
  return {
    content: texts.apiKey.confirmRevoke(masked(linked), accountOf(linked)),
    rows: rowsOf(
      revokeButton(texts),
      button.danger(texts.apiKey.revokeAll, customId('apikey', 'revoke', 'all')),
      button.secondary(texts.cancel.button, customId('apikey', 'cancel')),
    ),
  };
}

/** The linked key revokes itself; where the service wants the login token as well, a button asks for it. */
export async function revoke(invocation: Invocation, which: Which, token: string | undefined): Promise<void> {
  const { caller, reply, context } = invocation;
  await reply.deferUpdate();
  // To revoke it once more is refused: that would be said in place of what has become of it.
  await context.pictures.presses.once(`${caller.member.id}:revoke:${which}:${token !== undefined}`, () =>
    revokeOnce(invocation, which, token),
  );
}

async function revokeOnce(invocation: Invocation, which: Which, token: string | undefined): Promise<void> {
  const { reply, texts, context } = invocation;
  const { credentials, images } = context.keys;
  const owner = ownerWithRight('member', invocation);
  const linked = await credentials.open(owner);
  if (!linked) throw noKeyLinked('member', texts);
  await takeAttempt('key', invocation);
  const { apiKey } = linked;
  const wantsToken = ({ kind }: ServiceError) =>
    kind === 'unauthorized' || (kind === 'refused' && token === undefined);
  const { revoked: count } = await images
    .revokeKey({ apiKey, token, all: which === 'all' })
    .catch((cause: unknown) => {
      if (!(cause instanceof ServiceError) || !wantsToken(cause)) throw cause;
      const sentence = token === undefined ? texts.apiKey.revokeWithToken : texts.refusal.tokenRejected;
      const id = customId('apikey', 'token', which === 'all' ? which : undefined);
      const nextStep = button.primary(texts.apiKey.enterToken, id);
      throw new UserError(sentence, { nextSteps: [nextStep], cause });
    });
  if (!count && (await isAccepted(apiKey, invocation))) {
    throw new UserError(texts.apiKey.notRevoked(masked(linked)));
  }
  // The service may have taken its time: another key that its member has linked meanwhile stays.
  await credentials.unlink(owner, apiKey);
  await recordAction(invocation, null, { event: 'key-revoked', owner: 'member' });
  const { revoked, revokedAll } = texts.apiKey;
  await reply.editReply({ content: which === 'all' ? revokedAll : revoked(masked(linked)) });
}

/**
 * The interface does not show how one says which keys are meant: a service that names no key that it revoked may have
 * revoked none. Where the balance is not told, its yes counts.
 */
const isAccepted = (apiKey: string, { context }: Invocation): Promise<boolean> =>
  context.keys.images.balance({ apiKey }).then(
    () => true,
    () => false,
  );

/** Says before it is done that an unlinked key stays valid at the service, and what would end that. */
export async function confirmUnlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts } = invocation;
  const { apiKey } = texts;
  const linked = await linkedKeyOf(ownerWithRight(kind, invocation), invocation);
  return {
    content: apiKey.confirmUnlink[kind](masked(linked), accountOf(linked)),
    rows: rowsOf(
      button.danger(apiKey.unlink, customId('apikey', 'unlink', ...argsOf(kind))),
      kind === 'member' ? revokeButton(texts) : undefined,
      button.secondary(texts.cancel.button, customId('apikey', 'cancel')),
    ),
  };
}

export async function unlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts, context } = invocation;
  const owner = ownerWithRight(kind, invocation);
  // Pressed twice, it is unlinked all the same.
  if (await context.keys.credentials.unlink(owner))
    await recordAction(invocation, kind === 'guild' ? owner.id : null, {
      event: 'key-unlinked',
      owner: kind,
    });
  return { content: texts.apiKey.unlinked(kind) };
}
