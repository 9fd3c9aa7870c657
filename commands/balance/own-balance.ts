import { balanceOf, noKey, takeAttempt } from '../../src/bot/key-errors.ts';
import type { Credential } from '../../src/credentials/credentials.ts';
import { headline } from '../../src/delivery/prompt-text.ts';
import { costOf, hasEnded } from '../../src/jobs/job-task.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Message } from '../../src/messages/message.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** Of so many of the last requests it is told what they cost. */
const REQUESTS = 5;
/** Among so many. */
const LOOKED_AT = 10;
/** Of the words of each. */
const WORDS_CHARACTERS = 60;

/** Which key pays here, what it has left, how many pictures may still be asked for, and what the last ones cost. */
export async function ownBalance(invocation: Invocation): Promise<Message> {
  const { caller, context } = invocation;
  const credential = await context.keys.credentials.resolve(caller, { evenRejected: true });
  if (!credential) throw noKey(invocation);
  const lines = [
    ...(await paying(invocation, credential)),
    ...(await allowance(invocation, credential)),
    ...(await lastCosts(invocation)),
  ];
  return { content: lines.join('\n') };
}

/** What a server or the operator has left is not its members' to know, unless they run the server. */
async function paying(invocation: Invocation, { payer, apiKey }: Credential): Promise<string[]> {
  const { permissions, texts, context } = invocation;
  if (payer.kind === 'operator') return [texts.balance.operatorPays];
  if (payer.kind === 'guild' && !permissions.callerHas('ManageGuild')) {
    return [texts.balance.guildPays];
  }
  await takeAttempt('balance', invocation);
  const rejected = (cause: unknown) =>
    new UserError(texts.failure.reasons.unauthorized[payer.kind], {
      nextSteps: [context.nextSteps.linkKey?.(payer.kind, texts)],
      cause,
    });
  const { balance, username = '' } = await balanceOf({ payer, apiKey }, invocation, rejected);
  const { own, ofGuild, guildPays, paidWith } = texts.balance;
  const account = foreignText(username) || undefined;
  return payer.kind === 'guild'
    ? [ofGuild(balance, account), guildPays]
    : [own(balance), paidWith(`sk-…${apiKey.slice(-4)}`, account)];
}

/** What is left of the limits; nothing where there are none. */
async function allowance(
  { caller, texts, context }: Invocation,
  { payer, terms }: Credential,
): Promise<string[]> {
  const { member, guildId } = caller;
  const settings = await context.guilds.guildSettings.of(guildId);
  const left = await context.requests.limits.allowanceOf(
    { memberId: member.id, guildId, picture: { payer }, keyMemberDay: terms?.picturesPerMember },
    settings.limits,
  );
  return left ? [texts.balance.allowance(left.left, relativeTime(left.endsAt))] : [];
}

/** Where the service says what pictures cost; one that came to nothing may have cost something, too. */
async function lastCosts({ caller, texts, context }: Invocation): Promise<string[]> {
  const { jobs } = await context.pictures.tracker.page(caller.member.id, { limit: LOOKED_AT });
  const paid = jobs.flatMap((job) => {
    const cost = costOf(job.tasks.filter(hasEnded));
    const isFailure = cost === 0 && !job.tasks.some(({ state }) => state === 'completed');
    return cost === undefined || isFailure ? [] : [{ job, cost }];
  });
  if (paid.length === 0) return [];
  const shown = paid
    .slice(0, REQUESTS)
    .map(({ job, cost }) => texts.balance.cost(cost, headline(job, texts, WORDS_CHARACTERS)));
  return [texts.balance.lastPictures, ...shown];
}
