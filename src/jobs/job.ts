import { submission } from '@darkroom/image-api/contract';
import { z } from 'zod';
import { payer } from '../credentials/key-owner.ts';
import { namedGraph } from '../graphs/named-graph.ts';
import type { Reservation } from '../limits/reservation.ts';
import { input } from './input.ts';
import { isAboutInput, isAboutMoney, isFlagged, type JobTask, jobTask, wasStopped } from './job-task.ts';

/** How long an interaction token edits its reply: 15 minutes, by Discord's documentation ("Followup Messages"). */
export const TOKEN_LIFE_MS = 15 * 60_000;

/** How long after it has left an edit that nobody has answered may still be carried out, in milliseconds. */
export const LATE_EDIT_MS = 60_000;

const snowflake = z.string().regex(/^\d{17,20}$/);

/** Whether a member is told that their picture is there: always, where it took longer than they watch, or never. */
export const notify = z.enum(['always', 'slow', 'never']);

const messageLocation = z.object({ channelId: snowflake, messageId: snowflake });
export type MessageLocation = z.infer<typeof messageLocation>;

/**
 * Why an outcome waits for its member:
 * - `refused` Discord refused it everywhere; nothing has arrived
 * - `unconfirmed` Discord failed for too long, so an attempt may have arrived; it is tried again
 * - `unverifiable` an attempt may have arrived where nobody can look, so only its member can ask for it
 */
const waitReason = z.enum(['refused', 'unconfirmed', 'unverifiable']);
export type WaitReason = z.infer<typeof waitReason>;

/** The job that another one was made from. */
export const parent = z.object({
  jobId: snowflake,
  /** The one of its tasks whose picture it began with, or was varied. */
  task: z.int().optional(),
  /** The words were kept, and where the service can, the composition; the seeds are new. */
  varied: z.literal(true).optional(),
  /** Where it stands; left out where not everybody can see it. */
  message: messageLocation.optional(),
});
export type Parent = z.output<typeof parent>;

const jobFields = z.object({
  /** The interaction's id: it fits a nonce, and an interaction that is delivered twice finds its job. */
  id: snowflake,
  createdAt: z.number(),
  /** Milliseconds since the epoch; after it nothing is submitted any more. A task is followed by its own time. */
  deadlineAt: z.number(),
  /** Milliseconds since the epoch; when its tasks had ended. Nothing of the outcome was sent before. */
  endedAt: z.number().optional(),
  /** What is submitted, without the seed, which is each task's own. */
  // How an operation goes together with its pictures is checked where it is submitted: a row holds them apart.
  submission: z.strictObject(submission.shape).omit({ seed: true }),
  /** What is drawn in place of the words, which are filled into it; each task with its own seed. */
  graph: namedGraph.optional(),
  input: input.optional(),
  tasks: z.array(jobTask).min(1).max(4),
  member: z.object({ id: snowflake, locale: z.string() }),
  guildId: snowflake.nullable(),
  /** The server that it was asked for in, where what waited is shown in another place now. */
  askedIn: snowflake.nullable().optional(),
  channelId: snowflake,
  /** The bot is no member there: only the interaction's token reaches the channel. */
  away: z.literal(true).optional(),
  applicationId: snowflake,
  /** Only its member may see it: an ephemeral reply, and never the channel. */
  private: z.boolean(),
  /** Its member wants every picture behind a spoiler. */
  spoiler: z.literal(true).optional(),
  /** What happens to a picture that the service has flagged; shown like any other unless given. */
  flagged: z.enum(['spoiler', 'private']).optional(),
  /** Private because of such a picture, although everybody sees its reply. */
  withheld: z.literal(true).optional(),
  payer,
  /** The largest attachment that Discord takes here, in bytes (`attachment_size_limit`). */
  attachmentLimit: z.int(),
  reply: z.object({
    /** Known once Discord has acknowledged the first answer. */
    messageId: snowflake.optional(),
    /** It is not the first answer to its interaction, and is reached by its id. */
    followUp: z.literal(true).optional(),
    /** By Discord's clock. */
    tokenExpiresAt: z.number(),
    /** How far ours was ahead of that. Rows of earlier versions do not say. */
    aheadMs: z.number().optional(),
    /** Until when an edit that was given up may still take the place of what it shows, since the epoch. */
    lateUntil: z.number().optional(),
  }),
  /**
   * The message that shows the outcome; a direct message has a channel of its own. While the job is not over, the
   * reply does not link to it yet.
   */
  posted: messageLocation.optional(),
  /** Messages that show it to its member once more, by their ids: the last ones. */
  copies: z.array(snowflake).optional().catch(undefined),
  /** The message that shows it was deleted: nothing is made of its pictures any more. */
  removed: z.literal(true).optional(),
  /** Of several pictures, those that stand alone as well, in messages that everybody sees: the last one counts. */
  alone: z
    .array(messageLocation.extend({ task: z.int() }))
    .optional()
    .catch(undefined),
  /** Since when its member has it shown to everybody, until that is known to be done. Nothing was posted before. */
  publishing: z.number().optional().catch(undefined),
  parent: parent.optional().catch(undefined),
  /** Whether its member is told when the picture is there; `slow` unless given. */
  notify: notify.optional(),
  /** A moderator has cancelled it. Written before its member is told, so that nobody tells them twice. */
  moderated: z.literal(true).optional(),
});

/**
 * A request on its way to its pictures, without its secrets. `asked`: written before the member's interaction is
 * answered; nothing is submitted yet. `developing`: tasks are under way. `delivering`: all have ended; written before
 * anything is sent. `waiting`: the outcome cannot be delivered now. Over: `delivered` with at least one picture,
 * `failed`, explained, or `cancelled` before there was one, with nothing left of its reply.
 */
export const job = z.discriminatedUnion('state', [
  jobFields.extend({
    state: z.enum(['asked', 'developing', 'delivering', 'delivered', 'failed', 'cancelled']),
  }),
  jobFields.extend({
    state: z.literal('waiting'),
    waitReason,
    /** Of its pictures. Rows of earlier versions do not say. */
    savedBytes: z.int().optional(),
  }),
]);

/** What a job needs to go on, and nobody else may read. */
export const jobSecrets = z.object({
  /** Absent where it was lost with the vault's key. */
  apiKey: z.string().optional(),
  interactionToken: z.string(),
});

/**
 * `secrets`: absent when the job is over, and where their seal cannot be opened. `reservations`: what it has taken
 * from the limits, until it is over or waits.
 */
export type Job = z.output<typeof job> & {
  secrets?: z.output<typeof jobSecrets> | undefined;
  reservations?: Reservation[];
};

export const withTask =
  (index: number, task: JobTask) =>
  (job: Job): Job => ({ ...job, tasks: job.tasks.with(index, task) });

/** The server that it was asked for in, wherever it is shown; null in direct messages. */
export const guildOfRequest = ({ askedIn, guildId }: Pick<Job, 'askedIn' | 'guildId'>): string | null =>
  askedIn === undefined ? guildId : askedIn;

/** The tasks that made a picture, by their place in the job. */
export const completedTasks = ({ tasks }: Pick<Job, 'tasks'>): number[] =>
  tasks.flatMap(({ state }, index) => (state === 'completed' ? [index] : []));

export const aloneAt = ({ alone = [] }: Pick<Job, 'alone'>, task?: number): MessageLocation | undefined =>
  alone.findLast((one) => one.task === task);

/** Where its outcome stands, or will; undefined where its reply is not known yet either. */
export const outcomeAt = ({
  posted,
  channelId,
  reply: { messageId },
}: Pick<Job, 'posted' | 'channelId' | 'reply'>): MessageLocation | undefined =>
  posted ?? (messageId === undefined ? undefined : { channelId, messageId });

/** Whether a message shows its outcome, or will. */
export const isOutcome = (job: Job, messageId: string): boolean =>
  outcomeAt(job)?.messageId === messageId || (job.copies?.includes(messageId) ?? false);

/** Nothing came of it, and why is its member's own business. */
export const isOwnBusiness = ({ tasks }: Pick<Job, 'tasks'>): boolean =>
  tasks.every(({ state }) => state === 'failed') &&
  tasks.some((task) => isAboutMoney(task) || isAboutInput(task));

/** Makes a public job private where one of its pictures, or why there is none, is for its member only. */
export const withholding = ({
  private: hidden,
  flagged,
  tasks,
}: Pick<Job, 'private' | 'flagged' | 'tasks'>): Partial<Pick<Job, 'private' | 'withheld'>> =>
  !hidden && (isOwnBusiness({ tasks }) || (flagged === 'private' && tasks.some(isFlagged)))
    ? { private: true, withheld: true }
    : {};

/** Whether the picture of a task, or a link to it, is shown behind a spoiler only. */
export const isBehindSpoiler = (
  { spoiler, flagged }: Pick<Job, 'spoiler' | 'flagged'>,
  task: JobTask | undefined,
): boolean => spoiler === true || (flagged === 'spoiler' && task !== undefined && isFlagged(task));

/** Nothing is left to do: the member has the pictures or an explanation, or wanted neither. */
export const isOver = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'delivered' || state === 'failed' || state === 'cancelled';

/** Whether its tasks have ended without a picture because somebody cancelled it. */
export const isCancelled = ({ tasks }: Pick<Job, 'tasks'>): boolean =>
  tasks.every(({ state }) => state === 'failed') && tasks.some(wasStopped);

/** Whether its outcome may have been shown already. */
export const hasDeliveryBegun = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'delivering' || state === 'waiting';

/** Something is left to do without its member. What was refused, or is unverifiable, waits until they ask for it. */
export const needsResume = (job: Job): boolean =>
  !isOver(job) && (job.state !== 'waiting' || job.waitReason === 'unconfirmed');

/** Who shares a rate limit, and a turn: the server, or in direct messages the member. */
export const guildOrMember = ({ guildId, member }: Pick<Job, 'guildId' | 'member'>): string =>
  guildId ?? member.id;
