import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { guildOrMember, type Job } from '../../src/jobs/job.ts';
import type { Violation } from './violation.ts';

/** How many calls of one guild, or of one member in direct messages, may begin in any second. */
export const CALLS_PER_SECOND = 20;

const WINDOW_MS = 1_000;

/** A call as the bot began to send it. */
interface ServiceCall {
  /** Real milliseconds since the epoch. */
  at: number;
  /** What tells its job: an idempotency key, the id of a task, or the path of a picture. */
  about: string;
}

/** From here on every call of this process to `origin` is noted in a file, before it leaves: a kill loses none. */
export function noteCalls(origin: string, file: string): void {
  // Published by undici for each request; its documentation says what ('Diagnostics Channel Support').
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, headers } = message as { request: Sent; headers: string };
    if (request.origin !== origin) return;
    const [, idempotencyKey] = /^idempotency-key: (\S+)/im.exec(headers) ?? [];
    const [, taskId] = /task_id\W+([\w-]+)/.exec(`${request.path} ${request.body ?? ''}`) ?? [];
    const call: ServiceCall = {
      at: performance.timeOrigin + performance.now(),
      about: idempotencyKey ?? taskId ?? request.path,
    };
    appendFileSync(file, `${JSON.stringify(call)}\n`);
  });
}

interface Sent {
  origin: string;
  path: string;
  body: unknown;
}

export async function readCalls(file: string): Promise<ServiceCall[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line): ServiceCall => JSON.parse(line)).toSorted((one, other) => one.at - other.at);
}

/**
 * The most calls of one guild in any second, wherever it begins; more than the limit is a violation. `moved`: the ids
 * of jobs that may be another guild's by now.
 */
export function checkCalls(
  calls: readonly ServiceCall[],
  jobs: readonly Job[],
  moved: ReadonlySet<string> = new Set(),
): { most: number; violations: Violation[] } {
  const guildOf = guildsByName(jobs, moved);
  const recentOf = new Map<string, number[]>();
  const mostOf = new Map<string, number>();
  for (const { at, about } of calls) {
    const guild = guildOf.get(about);
    if (guild === undefined) continue;
    const recent = (recentOf.get(guild) ?? []).filter((moment) => moment > at - WINDOW_MS);
    recent.push(at);
    recentOf.set(guild, recent);
    mostOf.set(guild, Math.max(mostOf.get(guild) ?? 0, recent.length));
  }
  const violations = [...mostOf].flatMap(([guild, most]): Violation[] =>
    most > CALLS_PER_SECOND
      ? [{ rule: `${most} calls of ${guild} to the image service began in one second`, ids: [] }]
      : [],
  );
  return { most: Math.max(0, ...mostOf.values()), violations };
}

/** Whose call has which name; undefined where it cannot be told, as of a picture that goes into one of another guild. */
function guildsByName(jobs: readonly Job[], moved: ReadonlySet<string>): Map<string, string | undefined> {
  const guilds = new Map<string, string | undefined>();
  for (const job of jobs) {
    const guild = moved.has(job.id) ? undefined : guildOrMember(job);
    for (const name of namesOf(job)) {
      guilds.set(name, guilds.has(name) && guilds.get(name) !== guild ? undefined : guild);
    }
  }
  return guilds;
}

const namesOf = ({ tasks, input }: Job): string[] => [
  ...(input?.imageUrl === undefined ? [] : [pathOf(input.imageUrl)]),
  ...tasks.flatMap((task) => [
    task.idempotencyKey,
    ...('taskId' in task && task.taskId !== undefined ? [task.taskId] : []),
    ...(task.state === 'completed' ? [pathOf(task.imageUrl)] : []),
  ]),
];

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
};
