import type { APIMessage } from 'discord-api-types/v10';
import { createdAt } from 'local-discord';
import { isLoading } from '../../packages/local-discord/src/page/message-flags.ts';
import { BOT, hasEnded } from '../../packages/local-discord/test/support/local-discord.ts';
import { REDIRECT_MS } from '../../src/delivery/replies.ts';
import { isOver, type Job, outcomeAt, TOKEN_LIFE_MS } from '../../src/jobs/job.ts';
import { en } from '../../src/messages/locale/en.ts';
import type { ObservedOutcome } from './observations.ts';
import { checkSubmissions, checkTasks, type ServiceObserved } from './task-checks.ts';
import type { UserHistory } from './users.ts';
import { idsOf, type KnownLimit, type Violation } from './violation.ts';

/** What a run has left. */
export interface Observed extends ServiceObserved {
  /** Every message that any user can see. */
  messages: readonly APIMessage[];
  /** Every outcome that any user ever saw. */
  outcomes: readonly ObservedOutcome[];
  history: UserHistory;
  /** When each bot process exited, in real milliseconds since the epoch. */
  exits: readonly number[];
}

const { submitting, awaitingTurn, engineUnavailable, queued, developing, delivering, retrying } = en.progress;
const UNDER_WAY = new RegExp(
  [
    submitting,
    awaitingTurn(undefined),
    engineUnavailable,
    queued(undefined),
    'Queue',
    developing,
    delivering,
    retrying,
  ].join('|'),
);

/** In the last minutes of a token the bot leaves it to what is under way. */
const TOKEN_MARGIN_MS = 2 * 60_000;

/** An acknowledged interaction may stay unanswered where its bot exited so soon after, in real milliseconds. */
const ANSWERING_MS = 5_000;

/** It may come so long after its bot exited, likewise: the proxy before Discord holds it up. */
const HELD_UP_MS = 1_000;

/** Whether a message says that something is still going on. */
const isUnderWay = (message: APIMessage): boolean =>
  !hasEnded(message) && (isLoading(message) || UNDER_WAY.test(message.content));

/** Checks that everything was done, and nothing twice. */
export async function runChecks(
  observed: Observed,
): Promise<{ violations: Violation[]; tolerated: Partial<Record<KnownLimit, number>> }> {
  const tolerated: Partial<Record<KnownLimit, number>> = {};
  const tolerate = (limit: KnownLimit) => {
    tolerated[limit] = (tolerated[limit] ?? 0) + 1;
  };
  const violations = [
    ...observed.jobs.flatMap((job) => checkOutcome(job, observed, tolerate)),
    ...checkReplies(observed, tolerate),
    ...checkSubmissions(observed),
  ];
  for (const job of observed.jobs) violations.push(...(await checkTasks(job, observed, tolerate)));
  return { violations, tolerated };
}

/** Every job has ended, and its outcome was posted exactly once. */
function checkOutcome(
  job: Job,
  { messages, outcomes, history: { deleted, removing, shown } }: Observed,
  tolerate: (limit: KnownLimit) => void,
): Violation[] {
  const ids = idsOf(job);
  const violation = (rule: string): Violation => ({ rule: `job ${job.id} ${rule}`, ids });
  if (!isOver(job)) return [violation(`is still ${job.state}`)];
  const posts = outcomes.filter(({ jobId }) => jobId === job.id);
  const visible = messages.filter(({ id }) => posts.some(({ messageId }) => messageId === id));
  const violations: Violation[] = [];
  for (const again of posts.slice(1)) {
    const earlier = posts.slice(0, posts.indexOf(again));
    const allDeleted = earlier.every(({ messageId }) => deleted.has(messageId));
    if (shown.has(job.id) && (allDeleted || job.private)) tolerate('posted again on demand');
    else violations.push(violation(`was posted ${posts.length} times`));
  }
  if (job.state === 'cancelled') {
    if (posts.length > 0) violations.push(violation('is cancelled, and was posted'));
    return violations;
  }
  if (visible.length === 0 && !posts.some(({ messageId }) => deleted.has(messageId))) {
    violations.push(violation(`is ${job.state}, but nobody can see it`));
  }
  const { messageId = '' } = outcomeAt(job) ?? {};
  if (removing.has(messageId) && visible.length === 0 && !job.removed) {
    violations.push(violation('was deleted, and does not know it'));
  }
  const completed = job.tasks.filter(({ state }) => state === 'completed').length;
  for (const { attachments } of visible) {
    const files = new Set(attachments.map(({ filename }) => filename));
    if (files.size !== completed || attachments.length !== completed) {
      violations.push(violation(`has ${completed} pictures and shows ${attachments.length}`));
    }
  }
  return violations;
}

/** Every acknowledged request became a job, and no message says that something goes on when nothing does. */
function checkReplies(observed: Observed, tolerate: (limit: KnownLimit) => void): Violation[] {
  const { jobs, messages, outcomes, history, exits, advances } = observed;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const violations: Violation[] = [];
  for (const { forPictures, answer } of history.invocations) {
    const { interactionId } = answer;
    if (!forPictures || answer.kind !== 'message' || !isLoading(answer.message)) continue;
    if (!byId.has(interactionId)) {
      const rule = `interaction ${interactionId} was acknowledged, and no job is known`;
      violations.push({ rule, ids: [interactionId, answer.message.id] });
    }
  }

  const killedBeforeAnswering = (interactionId: string): boolean => {
    const invocation = history.invocations.find(({ answer }) => answer.interactionId === interactionId);
    if (!invocation || invocation.forPictures) return false;
    return exits.some((exit) => exit >= invocation.at - HELD_UP_MS && exit < invocation.at + ANSWERING_MS);
  };
  const isUnreachable = (job: Job): boolean => {
    const first = Math.min(...outcomes.flatMap(({ jobId, since }) => (jobId === job.id ? [since] : [])));
    const byTokenOnly = job.private || isReplyUnknown(job, history.shown);
    const closesAt = createdAt(job.id) + TOKEN_LIFE_MS - TOKEN_MARGIN_MS;
    const closedSoon = advances.some(
      ({ from, to }) => from >= first && from < first + REDIRECT_MS && to > closesAt,
    );
    return byTokenOnly && (first > closesAt || closedSoon);
  };
  for (const message of messages) {
    if (message.author.id !== BOT || !isUnderWay(message)) continue;
    const interactionId = message.interaction_metadata?.id ?? '';
    const job = byId.get(interactionId);
    const text = isLoading(message) ? 'thinking' : message.content.replaceAll('\n', ' / ');
    if (job && isUnreachable(job)) tolerate('reply unreachable');
    else if (!job && killedBeforeAnswering(interactionId)) tolerate('killed before answering');
    else {
      const what = job ? `job ${job.id}, which is ${job.state},` : `interaction ${interactionId}`;
      const ids = [message.id, interactionId, ...(job ? idsOf(job) : [])];
      violations.push({ rule: `message ${message.id} of ${what} still says: ${text}`, ids });
    }
  }
  return violations;
}

/**
 * Whether the bot exited before it could store which message its reply is. A job that /jobs has posted again has the
 * id of that message instead; then its tasks tell that it had not got further.
 */
const isReplyUnknown = ({ id, reply, tasks }: Job, shown: ReadonlySet<string>): boolean =>
  reply.messageId === undefined ||
  (shown.has(id) && tasks.every((task) => task.state === 'failed' && task.failure.kind === 'restarted'));
