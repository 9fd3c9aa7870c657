import { captureLog, silentLog } from '@darkroom/testing';
import { DAY_MS, HOUR_MS } from '@darkroom/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settlementOf } from '../../src/limits/counted-cost.ts';
import type { LimitSet } from '../../src/limits/limit-set.ts';
import { createLimits, type LimitedRequest } from '../../src/limits/limits.ts';
import { type Period, periodAt } from '../../src/limits/period.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 30);

const REQUEST: LimitedRequest = {
  memberId: 'ada',
  guildId: 'studio',
  count: 3,
  picture: { workflow: 'anime', payer: { kind: 'operator' } },
};

const EVERYTHING: LimitSet = {
  openRequests: 5,
  memberHour: 10,
  memberDay: 20,
  guildHour: 30,
  guildDay: 40,
  keyDay: 50,
  keyMonth: 60,
  keyCreditsDay: 70,
  keyCreditsMonth: 80,
};

const limitsOf = (operator: LimitSet, log = silentLog()) =>
  createLimits({ operator, store: { counted: async () => [] }, clock: { now: () => NOW }, log });

const reservationsOf = (request: Partial<LimitedRequest>, operator: LimitSet, guild: LimitSet = {}) =>
  limitsOf(operator).reservationsOf({ ...REQUEST, ...request }, guild);

const NO_RESERVATIONS = { reservations: [], pictures: 1 };

test('what is not limited is not counted', () => {
  expect(reservationsOf({}, {})).toEqual([]);
});

test('a request counts for its member, its server and the key that pays', () => {
  const reservations = reservationsOf({}, EVERYTHING);
  expect(reservations.map(({ key, amount, limit }) => [key, amount, limit])).toEqual([
    ['request:open:member:ada', 1, 5],
    ['picture:hour:2026-11-22T08:member:ada', 3, 10],
    ['picture:day:2026-11-22:member:ada', 3, 20],
    ['picture:hour:2026-11-22T08:guild:studio', 3, 30],
    ['picture:day:2026-11-22:guild:studio', 3, 40],
    ['picture:day:2026-11-22:key:operator', 3, 50],
    ['picture:month:2026-11:key:operator', 3, 60],
    ['credit:day:2026-11-22:key:operator', 0.003, 70],
    ['credit:month:2026-11:key:operator', 0.003, 80],
  ]);
});

test('of operator and server the lower limit counts for the server; a member has both', () => {
  const reservations = reservationsOf({}, { guildDay: 40, memberDay: 20 }, { guildDay: 7, memberDay: 4 });
  expect(reservations.map(({ key, limit }) => [key, limit])).toEqual([
    ['picture:day:2026-11-22:member:ada', 20],
    ['picture:day:2026-11-22:guild:studio:member:ada', 4],
    ['picture:day:2026-11-22:guild:studio', 7],
  ]);
});

test('a key of one’s own has no budget, and a server’s has that of its server', () => {
  const budgets = (payer: LimitedRequest['picture']['payer']) =>
    reservationsOf({ picture: { payer } }, { keyDay: 50 }, { keyDay: 5 }).map(({ key, limit }) => [
      key,
      limit,
    ]);
  expect(budgets({ kind: 'member', id: 'ada' })).toEqual([]);
  expect(budgets({ kind: 'guild', id: 'studio' })).toEqual([['picture:day:2026-11-22:key:guild:studio', 5]]);
});

test('in direct messages there is no server', () => {
  expect(reservationsOf({ guildId: null }, { guildDay: 1, memberDay: 2 }, { memberDay: 1 })).toHaveLength(1);
});

test('a period ends where the next one begins, and the names of two differ', () => {
  const period = fc.constantFrom<Period>('hour', 'day', 'month');
  const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(period, moment, (kind, now) => {
      const { name, endsAt } = periodAt(kind, now);
      expect(endsAt).toBeGreaterThan(now);
      expect(periodAt(kind, endsAt - 1).name).toBe(name);
      expect(periodAt(kind, endsAt).name).not.toBe(name);
    }),
  );
});

test('what was not drawn is given back, and credits come to what it cost', () => {
  const reservations = reservationsOf({ count: 3 }, { openRequests: 5, memberHour: 10, keyCreditsDay: 70 });
  const tasks = [{ notDrawn: false, cost: 2.5 }, { notDrawn: true }, { notDrawn: false }];
  expect(settlementOf(reservations, tasks, NOW)).toEqual([
    { key: 'request:open:member:ada', amount: -1, ttl: DAY_MS },
    { key: 'picture:hour:2026-11-22T08:member:ada', amount: -1, ttl: 30 * 60_000 },
    { key: 'credit:day:2026-11-22:key:operator', amount: 2.498, ttl: 15.5 * HOUR_MS },
  ]);
});

test('what is expected of a picture is what one like it, or else of its kind, has cost the same key', () => {
  const limits = limitsOf({ keyCreditsDay: 10 });
  const picture = { workflow: 'anime', width: 1024, height: 1024, payer: { kind: 'operator' } } as const;
  const expected = (other: Partial<LimitedRequest['picture']>, guild: LimitSet = {}) =>
    limits.reservationsOf({ ...REQUEST, count: 2, picture: { ...picture, ...other } }, guild)[0]?.amount;
  limits.learnCost(picture, 2.5, NO_RESERVATIONS);
  expect(expected({})).toBe(5);
  expect(expected({ width: 512 })).toBe(5);
  expect(expected({ width: 512, usualCost: 1.5 })).toBe(3);
  expect(expected({ usualCost: 1.5 })).toBe(5);
  expect(expected({ workflow: undefined })).toBe(0.002);
  expect(expected({ graph: 'poster' })).toBe(0.002);
  expect(expected({ payer: { kind: 'guild', id: 'studio' } }, { keyCreditsDay: 10 })).toBe(0.002);
});

/** What a picture counts with in a budget of 100 credits, where one like it is known to cost `known`. */
function countedWith({ cost, known }: { cost: number; known?: number }) {
  const { log, lines } = captureLog();
  const limits = limitsOf({ keyCreditsDay: 100 }, log);
  if (known !== undefined) limits.learnCost(REQUEST.picture, known, NO_RESERVATIONS);
  const request = { ...REQUEST, count: 1 };
  const reservations = limits.reservationsOf(request, {});
  const [taken] = reservations;
  const [settled] = settlementOf(reservations, [{ notDrawn: false, cost }], NOW);
  limits.learnCost(REQUEST.picture, cost, { reservations, pictures: 1 });
  const [next] = limits.reservationsOf(request, {});
  return {
    counted: (taken?.amount ?? 0) + (settled?.amount ?? 0),
    expected: next?.amount,
    told: lines.filter((line) => line.includes('far more')).length,
  };
}

test.each([
  ['is what it has cost', { cost: 90 }, { counted: 90, expected: 90, told: 0 }],
  [
    'is what it has cost, also where it became dearer',
    { cost: 39, known: 2 },
    { counted: 39, expected: 39, told: 0 },
  ],
  ['is at most twenty times the last one', { cost: 90, known: 2 }, { counted: 40, expected: 40, told: 1 }],
  [
    'leaves half of a budget that it alone passes',
    { cost: 1e308 },
    { counted: 50, expected: 0.001, told: 1 },
  ],
  [
    'is at most twenty times the last one, whatever is said',
    { cost: 1e308, known: 2 },
    { counted: 40, expected: 40, told: 1 },
  ],
  [
    'is not known of one that cost nothing before',
    { cost: 90, known: 0 },
    { counted: 90, expected: 90, told: 0 },
  ],
])('what a picture counts with %s: %j', (_, costs, found) => expect(countedWith(costs)).toEqual(found));

test('a budget of which nothing is used admits a picture however dear', () => {
  const limits = limitsOf({ keyCreditsDay: 10 });
  limits.learnCost(REQUEST.picture, 8, NO_RESERVATIONS);
  expect(limits.reservationsOf({ ...REQUEST, count: 4 }, {})).toMatchObject([{ amount: 10, limit: 10 }]);
});
