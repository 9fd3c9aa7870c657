import { createThreads } from '@darkroom/process/threads';
import { withTimeout } from '@darkroom/time';
import { formatNumber } from '../messages/formats.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Share, UsagePicture } from './chart/usage-picture.ts';
import type { render } from './chart/worker.ts';
import type { MonthUsage } from './month-usage.ts';
import { dayOf, GRAPH } from './usage-row.ts';

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/usage/chart/worker.js' : './chart/worker.js',
  import.meta.url,
).href;
const IDLE_MS = 30_000;

/** Bars of workflows, and lines of members. */
export const BARS = 5;

/** How long one picture may take, with its turn. */
const TIMEOUT_MS = 30_000;

/** Pictures that are drawn or wait for their turn. */
const MOST = 8;

/** Draws months. What draws is loaded with the first one. */
export type MonthChart = ReturnType<typeof createMonthChart>;

export function createMonthChart() {
  const threads = createThreads<{ render: typeof render }>({
    worker: WORKER,
    maxThreads: 1,
    idleMs: IDLE_MS,
    most: MOST,
  });
  return {
    /**
     * Resolves with a PNG. Rejects where it cannot be drawn, or too many are being drawn.
     * `now`: milliseconds since the epoch, after which nothing has been made.
     */
    draw: (usage: MonthUsage, texts: Texts, options: { now: number }): Promise<Uint8Array> =>
      withTimeout(TIMEOUT_MS, (signal) =>
        threads.run('render', pictureOf(usage, texts, options), { signal }),
      ),
    close: threads.close,
  };
}

function pictureOf(
  { month, total, days, workflows }: MonthUsage,
  { usage: texts, locale }: Texts,
  { now }: { now: number },
): UsagePicture {
  const today = dayOf(now);
  const written = (value: number) => formatNumber(value, { locale }, 1);
  const { pictures, credits, members, failed } = texts.words;
  return {
    title: texts.month(new Date(`${month}-01`)),
    totals: [
      { label: pictures, value: written(total.pictures) },
      { label: credits, value: written(total.credits) },
      { label: members, value: written(total.members) },
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
      texts.words.others,
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
