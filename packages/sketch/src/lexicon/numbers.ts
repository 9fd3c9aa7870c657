/** How many of what follows. */
export const NUMBER_WORDS = {
  1: 'one single lone solitary 1',
  2: 'two pair couple both twin twins duo zwei paar deux dos coppia 2 二 两 два две',
  3: 'three trio several few group herd pack pod drei einige trois plusieurs tres varios tre 3 三 три',
  4: 'four vier quatre cuatro quattro 4 四 четыре',
  5: 'five six seven many fünf sechs viele cinq cinco cinque 5 6 7 五 пять',
} as const;

/** Plurals that are more than their singular with an s. */
export const PLURAL_WORDS =
  'village villages dorf dörfer häuser segelschiffe ruderboote boote wolves puppies kitties bunnies butterflies people women men children füchse wölfe hunde katzen hasen pferde kamele elefanten wale fische quallen schmetterlinge eulen pinguine frauen männer kinder türme schiffe züge raketen planeten';
