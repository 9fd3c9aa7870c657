import type { Texts } from './locale/en.ts';

/** A number as people write it who read these texts, with at most so many decimal places. */
export const formatNumber = (value: number, { locale }: Pick<Texts, 'locale'>, places = 3): string =>
  value.toLocaleString(locale, { maximumFractionDigits: places });
