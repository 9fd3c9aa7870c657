import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { en } from '../../../src/bot/locale/en.ts';
import { isOver, type Job, TOKEN_LIFE_MS } from '../../../src/jobs/job.ts';
import { createdAt } from '../../../src/local-discord/state/snowflakes.ts';
import { BOT } from '../../support/local-discord.ts';
import { judgeSubmissions, judgeTasks, type ServiceScene } from './inspection-of-tasks.ts';
import type { Doings } from './people.ts';
import type { Outcome } from './sightings.ts';

/** A broken rule in a sentence, and the ids under which the diary knows more. */
export interface Finding {
  rule: string;
  about: readonly string[];
}

/** What no bot could have done better. */
export type Excuse =
  /** A reply that only its token reaches, private or of an id that Discord never told, and the token died first. */
  | 'reply out of reach'
  /** The bot died between acknowledging a button or /jobs and answering it. */
  | 'answer died with the bot'
  /** Shown once more because its member asked /jobs for it: deleted by people, or private, where nobody can look. */
  | 'shown again on demand'
  /** Finished shortly before its job's deadline, over which time leapt. */
  | 'deadline leapt over';

/** What a storm has left. */
export interface Scene extends ServiceScene {
  /** Every message that any of the people can see. */
  messages: readonly APIMessage[];
  /** Every outcome that any of them ever saw. */
  outcomes: readonly Outcome[];
  doings: Doings;
  /** Real milliseconds since the epoch; when each bot died. */
  deaths: readonly number[];
}

const { submitting, developing, delivering, trouble } = en.progress;
const UNDER_WAY = new RegExp(
  [submitting, developing, delivering, trouble, 'the queue', String.raw`of \d developed`].join('|'),
);

/** The last minutes of a token are left to what is under way. */
const TOKEN_MARGIN_MS = 2 * 60_000;

/** How soon after an acknowledgement its bot must have died to have answered nothing, in real milliseconds. */
const ANSWERING_MS = 5_000;

const isLoading = ({ flags }: APIMessage): boolean => (Number(flags) & MessageFlags.Loading) !== 0;

/** Whether a message promises something that its bot is still at. */
const isUnderWay = (message: APIMessage): boolean =>
  (message.components ?? []).length === 0 && (isLoading(message) || UNDER_WAY.test(message.content));

/** Holds what is left against what was promised. */
export async function inspect(
  scene: Scene,
): Promise<{ findings: Finding[]; excused: Partial<Record<Excuse, number>> }> {
  const excused: Partial<Record<Excuse, number>> = {};
  const excuse = (why: Excuse) => {
    excused[why] = (excused[why] ?? 0) + 1;
  };
  const findings = [
    ...scene.jobs.flatMap((job) => judgeOutcome(job, scene, excuse)),
    ...judgeAnswers(scene, excuse),
    ...judgeSubmissions(scene),
  ];
  for (const job of scene.jobs) findings.push(...(await judgeTasks(job, scene, excuse)));
  return { findings, excused };
}

/** Every job is over, and its outcome was shown exactly once. */
function judgeOutcome(
  job: Job,
  { messages, outcomes, doings: { deleted, shown } }: Scene,
  excuse: (why: Excuse) => void,
): Finding[] {
  const about = idsOf(job);
  const broken = (rule: string): Finding => ({ rule: `job ${job.id} ${rule}`, about });
  if (!isOver(job)) return [broken(`is still ${job.state}`)];
  const ever = outcomes.filter(({ jobId }) => jobId === job.id);
  const there = messages.filter(({ id }) => ever.some(({ messageId }) => messageId === id));
  const findings: Finding[] = [];
  for (const again of ever.slice(1)) {
    const earlier = ever.slice(0, ever.indexOf(again));
    const allDeleted = earlier.every(({ messageId }) => deleted.has(messageId));
    const unreadable = job.private && again.since > createdAt(job.id) + TOKEN_LIFE_MS - TOKEN_MARGIN_MS;
    if (shown.has(job.id) && (allDeleted || unreadable)) excuse('shown again on demand');
    else findings.push(broken(`was posted ${ever.length} times`));
  }
  if (there.length === 0 && !ever.some(({ messageId }) => deleted.has(messageId))) {
    findings.push(broken(`is ${job.state}, but nobody can see it`));
  }
  const completed = job.tasks.filter(({ state }) => state === 'completed').length;
  for (const { attachments } of there) {
    const files = new Set(attachments.map(({ filename }) => filename));
    if (files.size !== completed || attachments.length !== completed) {
      findings.push(broken(`has ${completed} pictures and shows ${attachments.length}`));
    }
  }
  return findings;
}

/** Whatever was acknowledged was answered, and no message promises what nobody is at any more. */
function judgeAnswers(scene: Scene, excuse: (why: Excuse) => void): Finding[] {
  const { jobs, messages, outcomes, doings, deaths } = scene;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const findings: Finding[] = [];
  for (const { forPictures, answer } of doings.asked) {
    const { interactionId } = answer;
    if (!forPictures || answer.kind !== 'message' || !isLoading(answer.message)) continue;
    if (!byId.has(interactionId)) {
      const rule = `interaction ${interactionId} was acknowledged, and no job is known`;
      findings.push({ rule, about: [interactionId, answer.message.id] });
    }
  }

  const diedBefore = (interactionId: string): boolean => {
    const asked = doings.asked.find(({ answer }) => answer.interactionId === interactionId);
    if (!asked || asked.forPictures) return false;
    return deaths.some((death) => death >= asked.at && death < asked.at + ANSWERING_MS);
  };
  const outOfReach = (job: Job): boolean => {
    const first = Math.min(...outcomes.flatMap(({ jobId, since }) => (jobId === job.id ? [since] : [])));
    const byTokenOnly = job.private || isReplyUnknown(job, doings.shown);
    return byTokenOnly && first > createdAt(job.id) + TOKEN_LIFE_MS - TOKEN_MARGIN_MS;
  };
  for (const message of messages) {
    if (message.author.id !== BOT || !isUnderWay(message)) continue;
    const interactionId = message.interaction_metadata?.id ?? '';
    const job = byId.get(interactionId);
    const words = isLoading(message) ? 'thinking' : message.content.replaceAll('\n', ' / ');
    if (job && outOfReach(job)) excuse('reply out of reach');
    else if (!job && diedBefore(interactionId)) excuse('answer died with the bot');
    else {
      const what = job ? `job ${job.id}, which is ${job.state},` : `interaction ${interactionId}`;
      const about = [message.id, interactionId, ...(job ? idsOf(job) : [])];
      findings.push({ rule: `message ${message.id} of ${what} still says: ${words}`, about });
    }
  }
  return findings;
}

/**
 * Whether the bot died before it could write down which message the reply is. What /jobs has handed out knows the reply to
 * that only; then its tasks tell that it had not got further.
 */
const isReplyUnknown = ({ id, reply, tasks }: Job, shown: ReadonlySet<string>): boolean =>
  reply.messageId === undefined ||
  (shown.has(id) && tasks.every((task) => task.state === 'failed' && task.failure.kind === 'restarted'));

/** Everything by which Discord and the service know a job. */
export const idsOf = ({ id, reply, posted, tasks }: Job): string[] => [
  id,
  ...(reply.messageId === undefined ? [] : [reply.messageId]),
  ...(posted ? [posted.messageId] : []),
  ...tasks.flatMap((task) => [
    task.idempotencyKey,
    ...('taskId' in task && task.taskId ? [task.taskId] : []),
  ]),
];
