import { createVault, type VaultKeys } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { DAY_MS, systemClock } from '@darkroom/time';
import { LIMIT_FORMS } from '../../commands/settings/forms.ts';
import { GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type JobTask, wasNotDrawn } from '../../src/jobs/job-task.ts';
import { type Period, periodAt } from '../../src/limits/period.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import type { Store } from '../../src/storage/store.ts';
import { createUsage } from '../../src/usage/usage.ts';
import { usageOf } from '../../src/usage/usage-row.ts';
import { LIMITS_OF_SERVER } from './environment.ts';
import type { UserHistory } from './users.ts';
import { idsOf, type Violation } from './violation.ts';

/** What adding up thousandths of credits may be wrong by. */
const EPSILON = 1e-6;

/** What a run has left of what is counted, paid and linked. */
export interface Accounts {
  store: Store;
  secrets: VaultKeys;
  jobs: readonly Job[];
  keys: UserHistory['keys'];
  /** Jobs that were shown elsewhere: they may be another server's by now. */
  shown: UserHistory['shown'];
  limits: UserHistory['limits'];
  /** By the clock of the run: what is counted in a period is forgotten once that is over. */
  now: number;
  /** That members and the first server linked. */
  linkedKey: string;
  /** What the account of the operator and that of those who linked a key have spent at the service, in credits. */
  spent: Readonly<Record<'operator' | 'linked', number>>;
}

/** Counters, usage, the ledger of the service, linked keys and limits are as the jobs and the users say. */
export async function checkAccounts(accounts: Accounts): Promise<Violation[]> {
  const checked = await Promise.all([
    checkCounters(accounts),
    checkUsage(accounts),
    checkKeys(accounts),
    checkLimits(accounts),
    checkLedger(accounts),
  ]);
  return checked.flat();
}

const costOf = (task: JobTask): number | undefined => ('cost' in task ? task.cost : undefined);
const isDrawn = (task: JobTask): boolean => !wasNotDrawn(task);
/** Nobody knows what it has cost, or whether it was drawn. */
const isUnknown = (task: JobTask): boolean => isDrawn(task) && costOf(task) === undefined;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * No request counts as open, what the keys of the operator and the first server have paid is counted to the picture
 * and the credit, and what was drawn in that server, to the picture.
 */
async function checkCounters({ store, jobs, shown, now }: Accounts): Promise<Violation[]> {
  const violations: Violation[] = [];
  const members = [...new Set(jobs.map(({ member }) => `member:${member.id}`))];
  const whose = [...members, ...members.map((member) => `guild:${GUILD}:${member}`)];
  const open = await store.counted(whose.map((one) => `request:open:${one}`));
  for (const [nth, count] of open.entries())
    if (count !== 0)
      violations.push({ rule: `${count} requests of ${whose[nth]} count as open`, ids: [`${whose[nth]}`] });

  const isOver = (period: Period, name: string) => name !== periodAt(period, now).name;

  /** `maybe`: of which nobody knows whether they count there. */
  async function checkPictures(
    whom: string,
    period: Period,
    counted: readonly Job[],
    maybe: readonly Job[] = [],
  ): Promise<void> {
    for (const [name, during] of byPeriod(period, [...counted, ...maybe])) {
      const picturesOf = (some: readonly Job[]) =>
        during.filter((job) => some.includes(job)).flatMap(({ tasks }) => tasks.filter(isDrawn)).length;
      const [pictures = 0] = await store.counted([`picture:${name}:${whom}`]);
      const least = picturesOf(counted);
      const isLost = pictures < least - EPSILON && !isOver(period, name);
      if (isLost || pictures > least + picturesOf(maybe) + EPSILON)
        violations.push({ rule: `${least} pictures of ${whom} were drawn, and ${pictures} count`, ids: [] });
    }
  }
  const budgets = [
    { whom: 'key:operator', paid: jobs.filter(({ payer }) => payer.kind === 'operator') },
    { whom: `key:guild:${GUILD}`, paid: jobs.filter(({ payer }) => payer.kind === 'guild') },
  ];
  for (const { whom, paid } of budgets) await checkPictures(whom, 'month', paid);
  const moved = jobs.filter(({ id }) => shown.has(id));
  const here = jobs.filter(({ id, guildId }) => guildId === GUILD && !shown.has(id));
  await checkPictures(`guild:${GUILD}`, 'day', here, moved);
  for (const member of members) {
    const isOwn = (job: Job) => `member:${job.member.id}` === member;
    await checkPictures(`guild:${GUILD}:${member}`, 'day', here.filter(isOwn), moved.filter(isOwn));
  }

  for (const { whom, paid } of budgets) {
    for (const [month, during] of byPeriod('month', paid)) {
      const tasks = during.flatMap((job) => job.tasks);
      const [credits = 0] = await store.counted([`credit:${month}:${whom}`]);
      const drawn = tasks.filter(isDrawn);
      const known = sum(drawn.map((task) => costOf(task) ?? 0));
      const dearest = Math.max(0.001, ...tasks.map((task) => costOf(task) ?? 0));
      const most = known + dearest * drawn.filter(isUnknown).length;
      const isLost = credits < known - EPSILON && !isOver('month', month);
      if (isLost || credits > most + EPSILON)
        violations.push({
          rule: `pictures of ${whom} cost ${known} to ${most} credits, and ${credits} count`,
          ids: [],
        });
    }
  }
  return violations;
}

/** By the name of the period in which they were asked for. */
function byPeriod(period: Period, jobs: readonly Job[]): Map<string, Job[]> {
  const grouped = new Map<string, Job[]>();
  for (const job of jobs) {
    const { name } = periodAt(period, job.createdAt);
    grouped.set(name, [...(grouped.get(name) ?? []), job]);
  }
  return grouped;
}

/** Each job counts once where it was asked for. */
async function checkUsage({ store, jobs }: Accounts): Promise<Violation[]> {
  const usage = createUsage({
    store,
    knownGuilds: createKnownGuilds({ store }),
    retentionMs: 90 * DAY_MS,
  });
  const violations: Violation[] = [];
  for (const job of jobs) {
    const [counted] = await usage.ofJobs([job]);
    const { guildId: _guild, day: _day, ...row } = counted ?? { guildId: null, day: '' };
    const expected = JSON.stringify(usageOf(job) ?? {});
    if (JSON.stringify(row) !== expected)
      violations.push({
        rule: `job ${job.id} counts with ${JSON.stringify(row)} in place of ${expected}`,
        ids: idsOf(job),
      });
  }
  return violations;
}

/** A key is there, and can be opened, where its member was told so last; where nobody was told, it may be. */
async function checkKeys({ store, secrets, keys, linkedKey }: Accounts): Promise<Violation[]> {
  const credentials = createCredentials({
    store,
    vault: createVault(secrets),
    clock: systemClock,
    log: silentLog(),
    operatorKey: undefined,
  });
  const violations: Violation[] = [];
  for (const [id, changes] of keys) {
    const last = changes.findLastIndex(({ done }) => done);
    const maybe = changes.slice(Math.max(0, last)).map(({ change }) => change);
    const allowed = new Set(last < 0 ? ['unlink', ...maybe] : maybe);
    const opened = await credentials.open({ kind: 'member', id });
    const found = opened === undefined ? 'unlink' : 'link';
    const is = JSON.stringify(changes.slice(-4));
    if (!allowed.has(found))
      violations.push({ rule: `the key of ${id} is as after ${found}: ${is}`, ids: [id] });
    if (opened && opened.apiKey !== linkedKey)
      violations.push({ rule: `the key of ${id} is another one`, ids: [id] });
  }
  return violations;
}

/**
 * The limits of each form are all of one that was sent, or those of the beginning where nobody was told of another.
 */
async function checkLimits({ store, limits: sent }: Accounts): Promise<Violation[]> {
  const { limits } = await createGuildSettings({ store, log: silentLog() }).of(GUILD);
  return Object.entries(LIMIT_FORMS).flatMap(([form, names]): Violation[] => {
    const written = (of: Readonly<Record<string, unknown>>) =>
      names.map((name) => `${of[name] ?? ''}`).join();
    const those = sent.filter((one) => one.form === form);
    const allowed = those.map((one) => written(one.limits));
    if (!those.some(({ done }) => done)) allowed.push(written(LIMITS_OF_SERVER));
    if (allowed.includes(written(limits))) return [];
    return [
      { rule: `the limits of ${form} are ${written(limits)}, and were ${allowed.join(' or ')}`, ids: [] },
    ];
  });
}

/** An account has spent what the pictures cost that its key has paid, and nothing beside. */
function checkLedger({ jobs, spent }: Accounts): Violation[] {
  return (['operator', 'linked'] as const).flatMap((kind): Violation[] => {
    const isPaid = ({ payer }: Job) => (payer.kind === 'operator') === (kind === 'operator');
    const tasks = jobs.filter(isPaid).flatMap((job) => job.tasks);
    const known = sum(tasks.map((task) => costOf(task) ?? 0));
    const isExact = !tasks.some(isUnknown);
    const isRight = isExact ? Math.abs(spent[kind] - known) < EPSILON : spent[kind] > known - EPSILON;
    if (isRight) return [];
    return [{ rule: `the ${kind} key has spent ${spent[kind]} credits on pictures of ${known}`, ids: [] }];
  });
}
