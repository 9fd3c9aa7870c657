import { formatNumber } from '../../messages/formats.ts';
import type { Texts } from '../../messages/locale/en.ts';
import type { MonthUsage } from '../month-usage.ts';
import { dayOf, GRAPH } from '../usage-row.ts';

/** Bars of workflows, and lines of members. */
export const BARS = 5;

/** What a server used in one month, as it is drawn. */
export type UsagePicture = ReturnType<typeof pictureOf>;

/** Words are in the language of whoever looks. `now`: milliseconds since the epoch, after which nothing has been made. */
export function pictureOf(
  { month, total, days, workflows }: MonthUsage,
  { usage: texts, locale }: Texts,
  { now }: { now: number },
) {
  const today = dayOf(now);
  const written = (value: number) => formatNumber(value, { locale }, 1);
  const { pictures, credits, members, failed } = texts.words;
  return {
    title: texts.month(new Date(`${month}-01`)),
    /** Large numbers under the title. At most four fit. */
    totals: [
      { label: pictures, value: written(total.pictures) },
      { label: credits, value: written(total.credits) },
      { label: members, value: written(total.members) },
      { label: failed, value: written(total.failed) },
    ],
    /** Every day, in order. `credits`: null of a day that is yet to come, before which their line ends. */
    days: days.map(({ day, pictures, failed, credits }) => ({
      label: `${Number(day.slice(-2))}`,
      pictures,
      failed,
      credits: day > today ? null : credits,
    })),
    /** Most pictures first. At most six fit. */
    workflows: shares(
      workflows.map(({ workflow, pictures }) => ({
        name: texts.workflow(workflow === GRAPH ? undefined : workflow),
        pictures,
      })),
      total.pictures,
      texts.words.others,
    ),
    words: texts.words,
    /** How numbers on the axes are written: `en`, `de`. */
    locale,
  };
}

/** A part of the pictures: which, and how many. */
interface Share {
  name: string;
  pictures: number;
}

/** The largest shares, and one for all of the others. */
function shares(all: readonly Share[], total: number, others: string): Share[] {
  const shown = all.slice(0, BARS);
  const rest = total - shown.reduce((sum, { pictures }) => sum + pictures, 0);
  return rest > 0 ? [...shown, { name: others, pictures: rest }] : shown;
}
