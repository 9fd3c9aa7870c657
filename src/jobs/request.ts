import { randomInt, randomUUID } from 'node:crypto';
import { LIMITS } from '../contract/limits.ts';
import type { Submission } from '../contract/submission.ts';
import { type Job, type JobSecrets, TOKEN_LIFE_MS } from './job.ts';

/** How long a job is followed before its member is told that it takes too long: 30 minutes; typical are 10 to 60 s. */
const DEADLINE_MS = 30 * 60_000;

/** Seeds that we draw fit an unsigned 32-bit integer, which every workflow takes. */
const SEED_END = 2 ** 32;

/** What a member asks for, and the way back to them. */
export interface JobRequest
  extends Pick<
    Job,
    'id' | 'member' | 'guildId' | 'channelId' | 'applicationId' | 'private' | 'payer' | 'attachmentLimit'
  > {
  submission: Submission;
  /** How many pictures, 1 to 4. A given seed is the first one's; the others count up from it. */
  count: number;
  secrets: JobSecrets;
  /** Milliseconds since the epoch; when the interaction began. */
  askedAt: number;
}

/** The job that a request asks for. `secrets`: sealed. */
export function planJob(
  { submission: { seed, ...submission }, count, askedAt, ...request }: Omit<JobRequest, 'secrets'>,
  secrets: string,
  now: number,
): Job {
  const first = seed === undefined || seed === -1 ? undefined : seed;
  return {
    ...request,
    state: 'asked',
    createdAt: now,
    deadlineAt: now + DEADLINE_MS,
    submission,
    tasks: Array.from({ length: count }, (_, index) => ({
      state: 'planned',
      seed: first === undefined ? randomInt(SEED_END) : nthSeed(first, index),
      idempotencyKey: randomUUID(),
    })),
    reply: { tokenExpiresAt: askedAt + TOKEN_LIFE_MS },
    secrets,
  };
}

const nthSeed = (first: number, index: number): number =>
  first > LIMITS.seed.max - index ? index : first + index;
