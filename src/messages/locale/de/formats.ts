export const list = new Intl.ListFormat('de');

export const either = new Intl.ListFormat('de', { type: 'disjunction' });

export const number = (value: number): string => value.toLocaleString('de', { maximumFractionDigits: 3 });

/** `credits`: as it is written in the language. */
export const creditsOf = (credits: string): string =>
  `**${credits}** ${credits === '1' ? 'Credit' : 'Credits'}`;
