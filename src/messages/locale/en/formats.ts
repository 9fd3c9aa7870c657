export const list = new Intl.ListFormat('en');

export const either = new Intl.ListFormat('en', { type: 'disjunction' });

export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });

/** `credits`: as it is written in the language. */
export const creditsOf = (credits: string): string =>
  `**${credits}** ${credits === '1' ? 'credit' : 'credits'}`;
