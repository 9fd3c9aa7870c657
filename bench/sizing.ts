import type { Report } from './report.ts';

/** What is assumed of a community in its busiest minutes. Whoever knows better puts it here: the rest is measured. */
const ASSUMED = {
  /** Discord asks for a shard at 2,500 servers, and recommends one for every thousand. */
  membersPerServer: 100,
  serversPerShard: 1_000,
  /** Of all members, who ask for a picture in the busiest hour, and how often. */
  active: 0.02,
  picturesEach: 3,
  /** How many times as much as the hour's mean the busiest minutes bring. */
  burst: 3,
  secondsPerPicture: 30,
  secondsBetweenPolls: 2.5,
  /** Of a core, so that there is room for what nobody expected. */
  loadPerProcess: 0.5,
};

const COMMUNITIES = [10_000, 100_000, 1_000_000, 10_000_000];

/**
 * How many shards and processes a community needs, on paper: from what was measured, and what is assumed. Heads
 * first.
 */
export function sizingRows(report: Report): string[][] {
  const answerUs = figure(report, 'profile', 'answering one /imagine: everything');
  const deliverUs = figure(report, 'profile', 'delivering one picture: everything');
  const pollUs = figure(
    report,
    'polling',
    '5,000 jobs in 300 servers: CPU per poll, progress edits included',
  );
  const idleMib = figure(report, 'start', 'bot alone: idle');
  const jobKib = figure(
    report,
    'polling',
    '5,000 jobs in 300 servers: resident memory of a running job, garbage included',
  );
  const rows = COMMUNITIES.map((members) => {
    const perSecond = ((members * ASSUMED.active * ASSUMED.picturesEach) / 3_600) * ASSUMED.burst;
    const running = perSecond * ASSUMED.secondsPerPicture;
    const polls = running / ASSUMED.secondsBetweenPolls;
    const cores = (perSecond * (answerUs + deliverUs) + polls * pollUs) / 1e6;
    const processes = Math.ceil(cores / ASSUMED.loadPerProcess);
    return [
      whole(members),
      whole(Math.ceil(members / ASSUMED.membersPerServer / ASSUMED.serversPerShard)),
      perSecond.toFixed(1),
      whole(running),
      whole(polls),
      cores.toFixed(2),
      whole(processes),
      `${whole(idleMib + (running * jobKib) / 1_024 / processes)} MiB`,
    ];
  });
  const heads = [
    'members',
    'shards',
    'pictures a second',
    'jobs at once',
    'polls a second',
    'cores',
    'processes',
    'memory of each',
  ];
  return [heads, ...rows];
}

function figure({ measurements }: Report, measurement: string, line: string): number {
  const found = measurements[measurement]?.find(({ name }) => name === line);
  if (!found) throw new Error(`docs/bench.json lacks '${line}': npm run bench -- ${measurement} --write`);
  return found.ours.median;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
