function formatsOf(locale: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const time = format({ timeStyle: 'short' });
  const day = format({ dateStyle: 'short' });
  const longDay = format({ dateStyle: 'long' });
  const longDayAndTime = format({ dateStyle: 'long', timeStyle: 'short' });
  const full = format({ dateStyle: 'full', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  /** Discord's timestamp styles, `<t:…:R>` apart. */
  const styles: Record<string, Intl.DateTimeFormat> = {
    t: time,
    T: format({ timeStyle: 'medium' }),
    d: day,
    D: longDay,
    f: longDayAndTime,
    F: full,
  };
  return { time, day, longDay, longDayAndTime, full, relative, styles };
}

const known = new Map<string, ReturnType<typeof formatsOf>>();

function formats(locale: string) {
  const found = known.get(locale) ?? formatsOf(locale);
  known.set(locale, found);
  return found;
}

/** Seconds in each unit, largest first. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `in 3 minutes`, `2 hours ago`, `now`. */
function relativeTime(locale: string, at: Date, now = Date.now()): string {
  const seconds = Math.round((at.getTime() - now) / 1_000);
  // What rounds up to a unit is said in it: never `60 minutes`.
  const isReached = ([, length]: (typeof UNITS)[number], nth: number) =>
    Math.abs(seconds) >= length - (UNITS[nth + 1]?.[1] ?? 1) / 2;
  const [unit, size] = UNITS.find(isReached) ?? ['second', 1];
  return formats(locale).relative.format(Math.round(seconds / size), unit);
}

/** What stands for `<t:seconds:style>`. */
export function styledTime(locale: string, at: Date, style: string): string {
  const { styles, longDayAndTime } = formats(locale);
  return style === 'R' ? relativeTime(locale, at) : (styles[style] ?? longDayAndTime).format(at);
}

export const clockTime = (locale: string, at: Date) => formats(locale).time.format(at);
export const fullTime = (locale: string, at: Date) => formats(locale).full.format(at);
export const dayLine = (locale: string, at: Date) => formats(locale).longDay.format(at);

/** As beside an author: the time alone today, the day as well before that. */
export function messageTime(locale: string, at: Date): string {
  const { time, day, relative } = formats(locale);
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (at.getTime() >= midnight) return time.format(at);
  if (at.getTime() < midnight - 86_400_000) return `${day.format(at)}, ${time.format(at)}`;
  const yesterday = relative.format(-1, 'day');
  return `${yesterday.charAt(0).toLocaleUpperCase(locale)}${yesterday.slice(1)}, ${time.format(at)}`;
}
