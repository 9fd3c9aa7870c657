import { randomInt, randomUUID } from 'node:crypto';
import { LIMITS, type Submission } from '@darkroom/image-api';
import type { Credential } from '../credentials/credentials.ts';
import type { LimitedReservation } from '../limits/reservation.ts';
import { type Job, TOKEN_LIFE_MS } from './job.ts';

/** How long after its request, or its turn, a task is still submitted: longer nobody waits for it to be accepted. */
export const DEADLINE_MS = 30 * 60_000;

/** Seeds that are picked at random fit an unsigned 32-bit integer, which every workflow takes. */
const SEED_END = 2 ** 32;

/** Who invoked a command, from where, and the interaction by which they are replied to. */
export interface Caller
  extends Pick<Job, 'member' | 'guildId' | 'channelId' | 'away' | 'applicationId' | 'attachmentLimit'> {
  interaction: {
    id: string;
    /** A secret: whoever has it can reply. */
    token: string;
    /** Milliseconds since the epoch, by Discord's clock. */
    createdAt: number;
    /** How far ours was ahead of that when the interaction came, in milliseconds. */
    aheadMs: number;
    /** It has been answered: what is replied is a message beside that answer. */
    followUp?: true;
  };
  /** Of a thread: the channel that it belongs to. */
  parentId: string | undefined;
  /** Their roles in the server, by id. */
  roles: readonly string[];
  /**
   * Whether the bot itself is a member of the server, so that anything is kept of it: a server may have the commands of
   * an app alone. False in direct messages. Never rejects.
   */
  botIsMember(): Promise<boolean>;
  /** Whether the server has the app, with the bot or without. Likewise. */
  serverHasApp(): Promise<boolean>;
  /** Whether the channel is age-restricted; false where nobody says. Never rejects. */
  isAgeRestricted(): Promise<boolean>;
}

/** Whether a caller can have what shows a job before them. */
export function isShownTo(
  { member, guildId, channelId }: Pick<Caller, 'member' | 'guildId' | 'channelId'>,
  job: Job,
): boolean {
  if (job.member.id === member.id) return true;
  return !job.private && job.guildId === guildId && (guildId !== null || job.channelId === channelId);
}

export interface JobRequest
  extends Pick<Job, 'graph' | 'input' | 'private' | 'notify' | 'flagged' | 'parent'> {
  caller: Caller;
  submission: Submission;
  /** Of the draft that it was; the interaction's unless given. */
  id?: string | undefined;
  /** How many pictures, 1 to 4. A given seed is the first one's; the others count up from it. */
  count: number;
  /** The words of each picture, where they differ. */
  prompts?: readonly string[] | undefined;
  credential: Credential;
  spoiler?: boolean;
  /** What it takes from the limits; nothing unless given. */
  reservations?: readonly LimitedReservation[];
}

export function createJob(request: JobRequest, now: number): Job {
  const { interaction, member, guildId, channelId, away, applicationId, attachmentLimit } = request.caller;
  const { seed, ...submission } = request.submission;
  const first = seed === undefined || seed === -1 ? undefined : seed;
  return {
    member,
    guildId,
    channelId,
    ...(away && { away }),
    applicationId,
    attachmentLimit,
    id: request.id ?? interaction.id,
    private: request.private,
    ...(request.flagged && { flagged: request.flagged }),
    ...(request.notify && { notify: request.notify }),
    ...(request.parent && { parent: request.parent }),
    ...(request.spoiler && { spoiler: true }),
    payer: request.credential.payer,
    state: 'asked',
    createdAt: now,
    deadlineAt: now + DEADLINE_MS,
    submission,
    ...(request.graph && { graph: request.graph }),
    ...(request.input && { input: request.input }),
    tasks: Array.from({ length: request.count }, (_, index) => ({
      state: 'planned',
      seed: first === undefined ? randomInt(SEED_END) : nthSeed(first, index),
      idempotencyKey: randomUUID(),
      ...(request.prompts && { prompt: request.prompts[index % request.prompts.length] }),
    })),
    reply: { ...replyTo(interaction), followUp: interaction.followUp },
    ...(request.reservations?.length && {
      reservations: request.reservations.map(({ limited: _, ...taken }) => taken),
    }),
    secrets: { apiKey: request.credential.apiKey, interactionToken: interaction.token },
  };
}

/** What is known of the reply to an interaction before there is one. */
export const replyTo = ({ createdAt, aheadMs }: Caller['interaction']): Job['reply'] => ({
  tokenExpiresAt: createdAt + TOKEN_LIFE_MS,
  aheadMs,
});

const nthSeed = (first: number, index: number): number =>
  first > LIMITS.seed.max - index ? index : first + index;
