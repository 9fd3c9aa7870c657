import type { Profiler } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import type { Line } from './line.ts';
import { inWorld } from './world.ts';

const SERVERS = 300;
const REQUESTS = 300;
/** Which run while polls are looked at, and how fast they are asked for. */
const JOBS = 900;
const JOBS_PER_SECOND = 30;
const POLLING_MS = 10_000;
/** A burst is answered, and what follows the first answers is written down, before the first poll of a job. */
const ANSWERED_MS = 500;
/** Parts with less of the whole than this are summed up. */
const LEAST_SHARE = 0.015;

/**
 * Where the main thread's time goes while the bot answers, polls and delivers: microseconds of each part for one
 * `/imagine`, one poll, one picture. What Node does for a part is counted with the part.
 */
export async function profileParts(): Promise<readonly Line[]> {
  return inWorld({ servers: SERVERS }, async ({ discord, service, bot }) => {
    const accepted = (answers: readonly { kind: string }[]) =>
      answers.filter(({ kind }) => kind === 'message').length;
    let jobs = accepted(await discord.imagine(JOBS, (JOBS / JOBS_PER_SECOND) * 1_000));
    const answering = await bot.profile(async () => {
      jobs += accepted(await discord.imagine(REQUESTS, 1_000));
      await delay(ANSWERED_MS);
    });
    await delay(5_000);
    await service.reset();
    const polling = await bot.profile(() => delay(POLLING_MS));
    const { polls } = await service.report();
    const delivering = await bot.profile(async () => {
      await service.complete(jobs);
      for (let arrived = 0; arrived < jobs; await delay(100)) arrived += (await discord.pictures()).length;
    });
    return [
      ...partLines('answering one /imagine', answering, REQUESTS),
      ...partLines('one poll', polling, polls),
      ...partLines('delivering one picture', delivering, jobs),
    ];
  });
}

/** The greatest part first. */
function partLines(work: string, profile: Profiler.Profile, count: number): Line[] {
  const parts = [...partsOf(profile)].sort(([, one], [, other]) => other - one);
  const whole = parts.reduce((sum, [, us]) => sum + us, 0);
  const great = parts.filter(([, us]) => us >= LEAST_SHARE * whole);
  const rest = whole - great.reduce((sum, [, us]) => sum + us, 0);
  const line = (part: string, us: number): Line => ({
    name: `${work}: ${part}`,
    unit: 'µs',
    ours: [us / count],
  });
  return [line('everything', whole), ...great.map(([part, us]) => line(part, us)), line('the rest', rest)];
}

/** Microseconds of each part, without idleness. */
function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const partOfNode = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (!node) return 'Node.js';
    const { functionName, url } = node.callFrame;
    if (functionName === '(garbage collector)') return 'garbage collection';
    return partOf(url) ?? partOfNode(parentOf.get(node.id));
  };
  const parts = new Map<string, number>();
  samples.forEach((id, index) => {
    if (byId.get(id)?.callFrame.functionName === '(idle)') return;
    const part = partOfNode(id);
    parts.set(part, (parts.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return parts;
}

const LIBRARIES: Readonly<Record<string, string>> = {
  '@discordjs': 'discord.js',
  '@sapphire': 'discord.js',
  ws: 'discord.js',
  '@keyv': 'keyv',
};

/** The library, the package or the folder that a file belongs to; undefined where it is Node's own or no file. */
function partOf(url: string): string | undefined {
  const [, library] = /.*\/node_modules\/([^/]+)/.exec(url) ?? [];
  if (library !== undefined && library !== '@darkroom') return LIBRARIES[library] ?? library;
  const [, ownPackage] = /\/packages\/([^/]+)\/|@darkroom\/([^/]+)/.exec(url) ?? [];
  if (ownPackage !== undefined) return `packages/${ownPackage}`;
  const [, folder] = /\/dist\/((?:src|commands)(?:\/[a-z-]+(?=\/))?)/.exec(url) ?? [];
  return folder;
}
