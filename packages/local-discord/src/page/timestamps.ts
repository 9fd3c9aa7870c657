/** Discord's timestamp styles, `<t:…:R>` apart. */
const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
} as const;

type Style = keyof typeof STYLES;

const known = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, style: Style, at: Date): string {
  const key = `${locale} ${style}`;
  const found = known.get(key) ?? new Intl.DateTimeFormat(locale, STYLES[style]);
  known.set(key, found);
  return found.format(at);
}

const relative = (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Seconds in each unit, largest first. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `in 3 minutes`, `2 hours ago`, `now`. */
function relativeTime(locale: string, at: Date): string {
  const seconds = Math.round((at.getTime() - Date.now()) / 1_000);
  // What rounds up to a unit is said in it: never `60 minutes`.
  const isReached = ([, length]: (typeof UNITS)[number], nth: number) =>
    Math.abs(seconds) >= length - (UNITS[nth + 1]?.[1] ?? 1) / 2;
  const [unit, size] = UNITS.find(isReached) ?? ['second', 1];
  return relative(locale).format(Math.round(seconds / size), unit);
}

const isStyle = (text: string): text is Style => Object.hasOwn(STYLES, text);

/** What stands for `<t:seconds:style>`. */
export function styledTime(locale: string, at: Date, style: string): string {
  if (style === 'R') return relativeTime(locale, at);
  return format(locale, isStyle(style) ? style : 'f', at);
}

export const clockTime = (locale: string, at: Date) => format(locale, 't', at);
export const fullTime = (locale: string, at: Date) => format(locale, 'F', at);
export const dayLine = (locale: string, at: Date) => format(locale, 'D', at);

/** As beside an author: the time alone today, the day as well before that. */
export function messageTime(locale: string, at: Date): string {
  const time = clockTime(locale, at);
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (at.getTime() >= midnight) return time;
  if (at.getTime() < midnight - 86_400_000) return `${format(locale, 'd', at)}, ${time}`;
  const yesterday = relative(locale).format(-1, 'day');
  return `${yesterday.charAt(0).toLocaleUpperCase(locale)}${yesterday.slice(1)}, ${time}`;
}
