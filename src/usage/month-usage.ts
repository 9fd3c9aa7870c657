import type { UsageRow } from './usage-row.ts';

/** What was made of one kind: on a day, in a workflow, for a member. */
interface Counts {
  pictures: number;
  failed: number;
  credits: number;
}

/** What members made by day, member and workflow. `memberId` is null where the member has erased it. */
type Part = Counts & { day: string; memberId: string | null; workflow: string };

export type MonthUsage = ReturnType<ReturnType<typeof createMonthSum>['sum']>;

/** The most parts that are told one by one; beyond them only their sums are. */
const MOST_PARTS = 50_000;

/** Adds up a month, `2026-11`, a day after the other. */
export function createMonthSum(month: string) {
  const total = zero();
  const days: (Counts & { day: string })[] = [];
  const workflows = new Map<string, Counts>();
  const members = new Map<string, Counts>();
  const parts: Part[] = [];
  let partsLeftOut = 0;

  return {
    /** Adds `day`, which is later than those before, with its rows. */
    add(day: string, rows: readonly UsageRow[]): void {
      const ofDay = { day, ...zero() };
      const dayParts = new Map<string, Part>();
      for (const row of rows) {
        const { memberId, workflow } = row;
        for (const counts of [total, ofDay, of(workflows, workflow)]) count(counts, row);
        if (memberId !== null) count(of(members, memberId), row);
        const key = `${memberId}:${workflow}`;
        const part = dayParts.get(key) ?? { day, memberId, workflow, ...zero() };
        count(part, row);
        dayParts.set(key, part);
      }
      days.push(ofDay);
      for (const [, part] of [...dayParts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        if (parts.length < MOST_PARTS) parts.push(part);
        else partsLeftOut += 1;
      }
    },

    sum: () => ({
      month,
      total: { ...total, members: members.size },
      /** Every day of the month, in order; `day` is `2026-11-22`. */
      days,
      /** Most pictures first. */
      workflows: mostFirst([...workflows].map(([workflow, counts]) => ({ workflow, ...counts }))),
      /** Likewise; without what erased members made. */
      members: mostFirst([...members].map(([memberId, counts]) => ({ memberId, ...counts }))),
      /** In the order of their days, members and workflows. */
      parts,
      /** How many more parts there are, of which only the sums tell. */
      partsLeftOut,
    }),
  };
}

/** The days of a month, `2026-11-01` and so on. */
export function daysOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, nth) => `${month}-${`${nth + 1}`.padStart(2, '0')}`);
}

const zero = (): Counts => ({ pictures: 0, failed: 0, credits: 0 });

function count(counts: Counts, { pictures, failed, credits }: Counts): void {
  counts.pictures += pictures;
  counts.failed += failed;
  counts.credits += credits;
}

function of(sums: Map<string, Counts>, name: string): Counts {
  const counts = sums.get(name) ?? zero();
  sums.set(name, counts);
  return counts;
}

const mostFirst = <Sum extends Counts>(sums: Sum[]): Sum[] =>
  sums.toSorted((one, other) => other.pictures - one.pictures);
