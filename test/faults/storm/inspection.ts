import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { en } from '../../../src/bot/locale/en.ts';
import { isOver, type Job, TOKEN_LIFE_MS } from '../../../src/jobs/job.ts';
import type { JobStore } from '../../../src/jobs/job-store.ts';
import type { Answer } from '../../../src/local-discord/hand/hand.ts';
import type { LocalDiscord } from '../../../src/local-discord/local-discord.ts';
import { createdAt } from '../../../src/local-discord/state/snowflakes.ts';
import { BOT } from '../../support/local-discord.ts';
import type { Submission } from './unruly-service.ts';

/** A request of a person, and what they saw first. */
export interface Asked {
  userId: string;
  answer: Answer;
}

/** What a storm has left. */
export interface Verdict {
  /** Each in a sentence; none where all is well. */
  violations: string[];
  idempotent: boolean;
  requests: number;
  /** How many jobs ended how. */
  ends: Record<string, number>;
  submissions: number;
  /** Replies that were out of everybody's reach when their job ended: private ones, or unknown ones, whose token had died. */
  outOfReach: number;
}

export interface Scene {
  discord: LocalDiscord;
  jobs: JobStore;
  asked: readonly Asked[];
  /** Messages that somebody deleted. */
  deleted: ReadonlySet<string>;
  people: readonly string[];
  channels: readonly string[];
  submissions: readonly Submission[];
  idempotent: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

const { submitting, developing, delivering, trouble } = en.progress;
const UNDER_WAY = new RegExp(
  [submitting, developing, delivering, trouble, 'the queue', String.raw`of \d developed`].join('|'),
);

/** Whether a message promises something that its bot is still at. */
const isUnderWay = ({ content, flags, components = [] }: APIMessage): boolean =>
  components.length === 0 && ((Number(flags ?? 0) & MessageFlags.Loading) !== 0 || UNDER_WAY.test(content));

/** Holds what is left against what was promised. */
export async function inspect(scene: Scene): Promise<Verdict> {
  const violations: string[] = [];
  const ends: Record<string, number> = {};
  let outOfReach = 0;
  const messages = allMessages(scene);
  const byJob = new Map<string, APIMessage[]>();
  for (const message of messages.values()) {
    const id = /imagine:again:(\d+)/.exec(JSON.stringify(message.components))?.[1];
    if (id !== undefined) byJob.set(id, [...(byJob.get(id) ?? []), message]);
  }

  const jobs = new Map<string, Job>();
  for (const { answer } of scene.asked) {
    const job = await scene.jobs.find(answer.interactionId);
    if (job) jobs.set(job.id, job);
  }
  for (const job of await scene.jobs.unfinished()) jobs.set(job.id, job);

  for (const job of jobs.values()) {
    ends[job.state] = (ends[job.state] ?? 0) + 1;
    const shown = byJob.get(job.id) ?? [];
    if (shown.length > 1) violations.push(`job ${job.id} has ${shown.length} outcomes`);
    const files = shown.flatMap(({ attachments }) => attachments.map(({ filename }) => filename));
    if (new Set(files).size < files.length) violations.push(`job ${job.id} shows a picture twice`);
    if (job.state === 'waiting') continue;
    if (!isOver(job)) {
      violations.push(`job ${job.id} is still ${job.state}`);
      continue;
    }
    const gone = job.posted !== undefined && scene.deleted.has(job.posted.messageId);
    if (shown.length === 0 && !gone) violations.push(`job ${job.id} is ${job.state}, but nobody can see it`);
    const completed = job.tasks.filter(({ state }) => state === 'completed').length;
    if (shown.length === 1 && files.length !== completed) {
      violations.push(`job ${job.id} has ${completed} pictures and shows ${files.length}`);
    }
  }

  for (const { answer } of scene.asked) {
    if (answer.kind !== 'message') continue;
    const isLoading = ((answer.message.flags ?? 0) & MessageFlags.Loading) !== 0;
    if (isLoading && !jobs.has(answer.interactionId)) {
      violations.push(`interaction ${answer.interactionId} was acknowledged, and no job is known`);
    }
  }

  for (const message of messages.values()) {
    if (message.author.id !== BOT || !isUnderWay(message)) continue;
    const job = jobs.get(message.interaction_metadata?.id ?? '');
    const tokenDied = scene.now - createdAt(message.id) > TOKEN_LIFE_MS;
    const reachable = job?.private !== true && job?.reply.messageId !== undefined;
    if (tokenDied && !reachable) outOfReach += 1;
    else
      violations.push(
        `message ${message.id} of job ${job?.id} (${job?.state}) still says: ${message.content}`,
      );
  }

  violations.push(...judgeSubmissions(scene, [...jobs.values()]));
  const { idempotent, asked, submissions } = scene;
  return {
    violations,
    idempotent,
    requests: asked.length,
    ends,
    submissions: submissions.length,
    outOfReach,
  };
}

/** Every message that any of the people can see. */
function allMessages({ discord, people, channels }: Scene): Map<string, APIMessage> {
  const messages = new Map<string, APIMessage>();
  for (const person of people) {
    const hand = discord.as(person);
    const places = [...channels, ...hand.directMessages().map(({ id }) => id)];
    for (const place of places) {
      for (const message of hand.messages(place, { limit: 1_000_000 })) messages.set(message.id, message);
    }
  }
  return messages;
}

function judgeSubmissions({ submissions, idempotent }: Scene, jobs: readonly Job[]): string[] {
  const violations: string[] = [];
  const keys = new Set(submissions.map(({ idempotencyKey }) => idempotencyKey));
  for (const key of keys) {
    const accepted = submissions.filter(
      ({ idempotencyKey, taskId }) => idempotencyKey === key && taskId !== undefined,
    );
    const tasks = new Set(accepted.map(({ taskId }) => taskId));
    if (tasks.size > 1) violations.push(`${tasks.size} tasks were made for ${key}`);
    if (!idempotent && accepted.length > 1) violations.push(`${key} was submitted ${accepted.length} times`);
  }
  const known = new Set(jobs.flatMap(({ tasks }) => tasks.map(({ idempotencyKey }) => idempotencyKey)));
  for (const key of keys)
    if (!known.has(key)) violations.push(`${key} was submitted for no job that is known`);
  return violations;
}
