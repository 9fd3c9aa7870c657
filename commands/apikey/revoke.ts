import { ServiceError } from '@darkroom/image-api';
import { withTimeout } from '@darkroom/time';
import { takeAttempt } from '../../src/bot/key-errors.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import type { LinkedKey } from '../../src/credentials/linked-key.ts';
import { hasEnded } from '../../src/jobs/job-task.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { accountOf, askedAnew, masked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { argsOf, kindOf, ownerWithRight } from './key-target.ts';
import { linkedKeyOf, noKeyLinked } from './link.ts';

/**
 * How long the service may take to show that it still accepts a key, in milliseconds: a process that ends meanwhile
 * leaves a key linked that is revoked.
 */
const ACCEPTED_MS = 5_000;

/** In so many jobs pictures under way are counted. */
const MOST_JOBS = 100;

/** What is to be revoked: the key that was linked at `linkedAt`, or every key of its account. */
interface Asked {
  which: 'this' | 'all';
  linkedAt: number;
}

/** Of a custom id. One that does not say when is of no key. */
export const askedOf = ([which, linkedAt]: readonly string[]): Asked => ({
  which: which === 'all' ? 'all' : 'this',
  linkedAt: Number(linkedAt),
});

const revokeButton = (which: Asked['which'], { linkedAt }: LinkedKey, { apiKey }: Texts) =>
  button.danger(
    which === 'all' ? apiKey.revokeAll : apiKey.revoke,
    customId('apikey', 'revoke', which, linkedAt),
  );

const unlinkButton = (kind: KeyOwner['kind'], { linkedAt }: LinkedKey, { apiKey }: Texts) =>
  button.danger(apiKey.unlink, customId('apikey', 'unlink', ...argsOf(kind), linkedAt));

/** Revoking cannot be undone: it is asked once more. */
export async function confirmRevoke(invocation: Invocation): Promise<Message> {
  const { texts } = invocation;
  const linked = await linkedKeyOf(invocation, ownerWithRight(invocation, 'member'));
  return {
    content: [
      texts.apiKey.confirmRevoke(masked(linked), accountOf(linked)),
      ...(await lossOf(invocation)),
    ].join('\n'),
    rows: rowsOf(
      revokeButton('this', linked, texts),
      revokeButton('all', linked, texts),
      button.secondary(texts.cancel.button, customId('apikey', 'cancel')),
    ),
  };
}

/** What to revoke it ends, where that is something: pictures under way cannot be fetched without it. */
async function lossOf({ caller, texts, context }: Invocation): Promise<string[]> {
  const { tracker } = context.pictures;
  const { jobs } = await tracker.page(caller.member.id, { isOpen: true, limit: MOST_JOBS });
  const paid = jobs.filter(({ payer }) => payer.kind === 'member');
  const lost = paid.flatMap(({ tasks }) => tasks.filter((task) => !hasEnded(task))).length;
  return lost === 0 ? [] : [texts.apiKey.lostByRevoking(lost)];
}

/** The linked key revokes itself; where the service wants the login token as well, a button asks for it. */
export async function revoke(invocation: Invocation, asked: Asked, token: string | undefined): Promise<void> {
  const { caller, reply, context } = invocation;
  const { which, linkedAt } = asked;
  await reply.deferUpdate();
  // To revoke it once more is refused: that would be said in place of what has become of it.
  await context.pictures.presses.once(
    `${caller.member.id}:revoke:${which}:${linkedAt}:${token !== undefined}`,
    () => revokeOnce(invocation, asked, token),
  );
}

async function revokeOnce(
  invocation: Invocation,
  { which, linkedAt }: Asked,
  token: string | undefined,
): Promise<void> {
  const { reply, texts, context } = invocation;
  const { credentials, images } = context.keys;
  const owner = ownerWithRight(invocation, 'member');
  const linked = await credentials.open(owner);
  if (!linked) throw noKeyLinked('member', texts);
  if (linked.linkedAt !== linkedAt) {
    return reply.editReply(askedAnew(await confirmRevoke(invocation), texts));
  }
  await takeAttempt('key', invocation);
  const { apiKey } = linked;
  const wantsToken = ({ kind }: ServiceError) =>
    kind === 'unauthorized' || (kind === 'refused' && token === undefined);
  const { revoked: count } = await images
    .revokeKey({ apiKey, token, all: which === 'all' })
    .catch((cause: unknown) => {
      if (!(cause instanceof ServiceError) || !wantsToken(cause)) throw cause;
      const sentence = token === undefined ? texts.apiKey.revokeWithToken : texts.refusal.tokenRejected;
      const nextStep = button.primary(texts.apiKey.enterToken, customId('apikey', 'token', which, linkedAt));
      throw new UserError(sentence, { nextSteps: [nextStep], cause });
    });
  if (!count && (await isAccepted(invocation, apiKey))) {
    throw new UserError(texts.apiKey.notRevoked(masked(linked)), {
      nextSteps: [unlinkButton('member', linked, texts)],
    });
  }
  // The service may have taken its time: another key that its member has linked meanwhile stays.
  await credentials.unlink(owner, linked);
  await recordAction(invocation, null, { event: 'key-revoked', owner: 'member' });
  const { revoked, revokedAll } = texts.apiKey;
  await reply.editReply({ content: which === 'all' ? revokedAll : revoked(masked(linked)) });
}

/**
 * The interface does not show how one says which keys are meant: a service that names no key that it revoked may have
 * revoked none. Where the balance is not told in time, its yes counts.
 */
const isAccepted = ({ context }: Invocation, apiKey: string): Promise<boolean> =>
  withTimeout(ACCEPTED_MS, (signal) => context.keys.images.balance({ apiKey, signal })).then(
    () => true,
    () => false,
  );

/** Says before it is done that an unlinked key stays valid at the service, and what would end that. */
export async function confirmUnlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts } = invocation;
  const { apiKey } = texts;
  const linked = await linkedKeyOf(invocation, ownerWithRight(invocation, kind));
  return {
    content: [
      apiKey.confirmUnlink[kind](masked(linked), accountOf(linked)),
      ...(kind === 'member' ? await lossOf(invocation) : []),
    ].join('\n'),
    rows: rowsOf(
      unlinkButton(kind, linked, texts),
      kind === 'member' ? revokeButton('this', linked, texts) : undefined,
      button.secondary(texts.cancel.button, customId('apikey', 'cancel')),
    ),
  };
}

export async function unlink(invocation: Invocation<readonly string[]>): Promise<Message> {
  const { options, texts, context } = invocation;
  const { credentials } = context.keys;
  const kind = kindOf(options);
  const owner = ownerWithRight(invocation, kind);
  if (await credentials.unlink(owner, { linkedAt: Number(options[1]) })) {
    await recordAction(invocation, kind === 'guild' ? owner.id : null, {
      event: 'key-unlinked',
      owner: kind,
    });
  } else if (await credentials.describe(owner)) {
    return askedAnew(await confirmUnlink(invocation, kind), texts);
  }
  // Pressed twice, it is unlinked all the same.
  return { content: texts.apiKey.unlinked(kind) };
}
