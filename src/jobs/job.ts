import { z } from 'zod';
import { submission } from '../contract/submission.ts';
import { SERVICE_ERROR_KINDS } from '../errors.ts';
import { payer } from '../payer.ts';

/** How long an interaction token edits its reply: 15 minutes, by Discord's documentation ("Followup Messages"). */
export const TOKEN_LIFE_MS = 15 * 60_000;

const snowflake = z.string().regex(/^\d{17,20}$/);

/**
 * Why something of a job came to nothing: the kinds of `ServiceError`, and those that only a job knows.
 * - `task-failed` the service reports that the task failed
 * - `timed-out` the deadline passed
 * - `unclear` nobody knows whether the submission was accepted, so it may have been charged
 * - `cancelled` the member stopped it, and so did the service
 * - `left` the member stopped following it, and what the service does is not known
 * - `moved` it was submitted to another image service than the bot now has
 * - `withdrawn` the member stopped it before it was submitted
 * - `no-key` the key that paid is gone
 * - `unfetched` the picture is finished, but could not be fetched
 * - `unwritten` the request could not be written down, so it was not submitted
 * - `restarted` a process ended before it was submitted
 * - `internal` a mistake of ours
 */
export const failure = z.object({
  kind: z.enum([
    ...SERVICE_ERROR_KINDS,
    'task-failed',
    'timed-out',
    'unclear',
    'cancelled',
    'left',
    'moved',
    'withdrawn',
    'no-key',
    'unfetched',
    'unwritten',
    'restarted',
    'internal',
  ]),
  /** The service's own sentence. */
  reason: z.string().optional(),
  /** Where a finished picture is that could not be fetched. */
  address: z.string().optional(),
  /** Finds the log line. */
  reference: z.string().optional(),
});
export type Failure = z.infer<typeof failure>;

const taskFields = {
  /** Drawn by us where the member gave none: a status carries no seed, and every picture can be made again. */
  seed: z.int(),
  /** Sent with the submission, so that a service that honours it never charges twice. */
  idempotencyKey: z.uuid(),
};
/** The image service that it was submitted to. Rows of earlier versions do not say. */
const service = z.string().optional();
const accepted = { ...taskFields, service, taskId: z.string(), acceptedAt: z.number() };

/**
 * One task of a job. `planned`: nothing left yet. `submitting`: written before the request leaves, so this is what a
 * crash leaves behind when nobody knows. `following`: accepted. Then `completed`, or `failed` for a reason.
 */
export const jobTask = z.discriminatedUnion('state', [
  z.object({ ...taskFields, state: z.literal('planned') }),
  z.object({
    ...taskFields,
    state: z.literal('submitting'),
    service,
    /** Whether that service had announced that it honours the key. */
    honoured: z.boolean().optional(),
  }),
  z.object({ ...accepted, state: z.literal('following') }),
  z.object({
    ...accepted,
    state: z.literal('completed'),
    imageUrl: z.string(),
    expiresAt: z.number().optional(),
    completedAt: z.number(),
  }),
  z.object({ ...taskFields, state: z.literal('failed'), taskId: z.string().optional(), failure }),
]);
export type JobTask = z.infer<typeof jobTask>;

/** Nothing more comes of it: there is a picture, or a reason why not. */
export const hasEnded = ({ state }: Pick<JobTask, 'state'>): boolean =>
  state === 'completed' || state === 'failed';

/** A request on its way to its pictures: the row that survives a restart. */
export const job = z.object({
  /** The interaction's id: it fits a nonce, and an interaction that is delivered twice finds its job. */
  id: snowflake,
  /**
   * `asked`: written before the member's interaction is answered; nothing is submitted yet. `developing`: tasks are
   * under way; `delivering`: all ended, written before anything is sent; `waiting`: no way leads to the member yet.
   * Over: `delivered` with at least one picture, or `failed`, explained.
   */
  state: z.enum(['asked', 'developing', 'delivering', 'waiting', 'delivered', 'failed']),
  createdAt: z.number(),
  /** Milliseconds since the epoch; after it the job is no longer followed. */
  deadlineAt: z.number(),
  /** Milliseconds since the epoch; when its tasks had ended. Nothing of the outcome was sent before. */
  endedAt: z.number().optional(),
  /** What is submitted, without the seed, which is each task's own. */
  submission: submission.omit({ seed: true }),
  tasks: z.array(jobTask).min(1).max(4),
  member: z.object({ id: snowflake, locale: z.string() }),
  guildId: snowflake.nullable(),
  channelId: snowflake,
  applicationId: snowflake,
  /** Only its member may see it: an ephemeral reply, and never the channel. */
  private: z.boolean(),
  payer,
  /** The largest attachment that Discord takes here, in bytes (`attachment_size_limit`). */
  attachmentLimit: z.int(),
  reply: z.object({
    /** Known once Discord has acknowledged the first answer. */
    messageId: snowflake.optional(),
    tokenExpiresAt: z.number(),
  }),
  /** Of a job that waits: an attempt may have arrived that Discord never answered, or that a process did not survive. */
  unsure: z.boolean().optional(),
  /** Of one that is unsure: where that attempt may have arrived nobody can look, so its member has to ask for it. */
  unseen: z.boolean().optional(),
  /**
   * Where the outcome stands, once it does; a direct message has a channel of its own. Of a job that is not over: the
   * reply does not say so yet.
   */
  posted: z.object({ channelId: snowflake, messageId: snowflake }).optional(),
  /** The vault's seal over `JobSecrets`; gone when the job is over. */
  secrets: z.string().optional(),
});
export type Job = z.infer<typeof job>;

/** What a job needs to go on, and nobody else may read. */
export const jobSecrets = z.object({ apiKey: z.string(), interactionToken: z.string() });
export type JobSecrets = z.infer<typeof jobSecrets>;

/** Nothing is left to do: the member has the pictures or an explanation. */
export const isOver = ({ state }: Pick<Job, 'state'>): boolean => state === 'delivered' || state === 'failed';

/** Something is left to do that takes no member: what was refused, or may stand where nobody can look, waits for its own. */
export const goesOn = (job: Pick<Job, 'state' | 'unsure' | 'unseen'>): boolean =>
  !isOver(job) && (job.state !== 'waiting' || (job.unsure === true && job.unseen !== true));

/** Who shares a pace: a server, or a member in direct messages. */
export const paceKey = ({ guildId, member }: Pick<Job, 'guildId' | 'member'>): string => guildId ?? member.id;
