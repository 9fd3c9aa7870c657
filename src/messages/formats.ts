/** A number as people write it who read these texts, with at most so many decimal places. */
export const formatNumber = (value: number, { locale }: { locale: string }, places = 3): string =>
  value.toLocaleString(locale, { maximumFractionDigits: places });

/** How a language writes lists, numbers, days, months and credits. */
export function formatsOf(locale: string, { credit, credits }: { credit: string; credits: string }) {
  const number = (value: number) => formatNumber(value, { locale });
  const unitOf = (written: string) => (written === '1' ? credit : credits);
  return {
    list: new Intl.ListFormat(locale),
    either: new Intl.ListFormat(locale, { type: 'disjunction' }),
    number,
    daysOf: (days: number) =>
      days.toLocaleString(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }),
    /** `2026-11-18` without its year. */
    dayOf: (day: string) =>
      new Date(day).toLocaleDateString(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
    monthOf: (moment: Date) =>
      moment.toLocaleDateString(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    creditsOf: (amount: number) => `${number(amount)} ${unitOf(number(amount))}`,
    boldCredits: (amount: number) => `**${number(amount)}** ${unitOf(number(amount))}`,
  };
}
