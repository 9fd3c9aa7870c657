/** What a server used in one month, as it is drawn. Words are in the language of whoever looks. */
export interface UsagePicture {
  title: string;
  /** Large numbers under the title: `{ label: 'Pictures', value: '482' }`. At most four fit. */
  totals: readonly { label: string; value: string }[];
  /** Every day of the month, in order. `credits`: null of a day that is yet to come, before which their line ends. */
  days: readonly { label: string; pictures: number; failed: number; credits: number | null }[];
  /** Pictures by workflow, most first. At most six fit. */
  workflows: readonly Share[];
  words: { pictures: string; failed: string; credits: string; workflows: string };
  /** How numbers on the axes are written: `en`, `de`. */
  locale: string;
}

/** A part of the pictures: which, and how many. */
export interface Share {
  name: string;
  pictures: number;
}
