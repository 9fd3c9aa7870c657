import { formatNumber } from '../messages/format-number.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { ChartPool } from './chart/chart-pool.ts';
import type { Share, UsagePicture } from './chart/usage-picture.ts';
import type { MonthUsage } from './month-usage.ts';
import { dayOf, GRAPH } from './usage-row.ts';

/** Bars of workflows and of members; what comes after them is one bar. */
export const BARS = 5;

/** Draws months. What draws is loaded with the first one. */
export interface MonthChart {
  /**
   * Resolves with a PNG. Rejects where it cannot be drawn, or too many are being drawn.
   * `now`: milliseconds since the epoch, after which nothing has been made.
   */
  draw(usage: MonthUsage, texts: Texts, options: { now: number }): Promise<Uint8Array>;
  close(): Promise<void>;
}

const loadChart = async (): Promise<ChartPool> => (await import('./chart/chart-pool.ts')).createChartPool();

/** `load`: what draws. */
export function createMonthChart({ load = loadChart } = {}): MonthChart {
  let loading: Promise<ChartPool> | undefined;
  return {
    async draw(usage, texts, options) {
      loading ??= load();
      return (await loading).draw(pictureOf(usage, texts, options));
    },
    async close() {
      // What could not be loaded has nothing to close; whoever wanted to draw was told.
      const chart = await loading?.catch(() => undefined);
      await chart?.close();
    },
  };
}

function pictureOf(
  { month, total, days, workflows, members }: MonthUsage,
  { usage: texts, locale }: Texts,
  { now }: { now: number },
): UsagePicture {
  const today = dayOf(now);
  const written = (value: number) => formatNumber(value, { locale }, 1);
  const { pictures, credits, members: membersWord, failed, others } = texts.words;
  return {
    title: texts.month(new Date(`${month}-01`)),
    totals: [
      { label: pictures, value: written(total.pictures) },
      { label: credits, value: written(total.credits) },
      { label: membersWord, value: written(total.members) },
      { label: failed, value: written(total.failed) },
    ],
    days: days.map(({ day, pictures, failed, credits }) => ({
      label: `${Number(day.slice(-2))}`,
      pictures,
      failed,
      credits: day > today ? null : credits,
    })),
    workflows: shares(
      workflows.map(({ workflow, pictures }) => ({
        name: texts.workflow(workflow === GRAPH ? undefined : workflow),
        pictures,
      })),
      total.pictures,
      others,
    ),
    // Their names stand in the message: a picture cannot name anybody whom Discord does not know any more.
    members: shares(
      members.map(({ pictures }, nth) => ({ name: `${nth + 1}.`, pictures })),
      total.pictures,
      others,
    ),
    words: texts.words,
    locale,
  };
}

/** The largest shares, and one for all of the others. */
function shares(all: readonly Share[], total: number, others: string): Share[] {
  const shown = all.slice(0, BARS);
  const rest = total - shown.reduce((sum, { pictures }) => sum + pictures, 0);
  return rest > 0 ? [...shown, { name: others, pictures: rest }] : shown;
}
