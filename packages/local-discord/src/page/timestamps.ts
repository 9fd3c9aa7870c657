const locale = navigator.language;
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
const time = format({ timeStyle: 'short' });
const day = format({ dateStyle: 'short' });
const longDay = format({ dateStyle: 'long' });
const longDayAndTime = format({ dateStyle: 'long', timeStyle: 'short' });
const full = format({ dateStyle: 'full', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Discord's timestamp styles, `<t:…:R>` apart. */
const STYLES: Record<string, Intl.DateTimeFormat> = {
  t: time,
  T: format({ timeStyle: 'medium' }),
  d: day,
  D: longDay,
  f: longDayAndTime,
  F: full,
};

/** Seconds in each unit, largest first. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `in 3 minutes`, `2 hours ago`, `now`. */
function relativeTime(at: Date, now = Date.now()): string {
  const seconds = Math.round((at.getTime() - now) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** What stands for `<t:seconds:style>`. */
export function styledTime(at: Date, style: string): string {
  return style === 'R' ? relativeTime(at) : (STYLES[style] ?? longDayAndTime).format(at);
}

export const clockTime = (at: Date) => time.format(at);
export const fullTime = (at: Date) => full.format(at);
export const dayLine = (at: Date) => longDay.format(at);

/** As beside an author: the time alone today, the day as well before that. */
export function messageTime(at: Date, now = new Date()): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at.getTime() >= midnight) return time.format(at);
  if (at.getTime() >= midnight - 86_400_000) return `Yesterday at ${time.format(at)}`;
  return `${day.format(at)}, ${time.format(at)}`;
}
