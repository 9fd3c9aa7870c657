/** How many of what follows; 6 is any number of more than a picture has room for. */
export const NUMBER_WORDS = {
  1: 'one single lone solitary',
  2: 'two pair couple both twin twins duo zwei paar deux dos coppia 二 两 два две',
  3: 'three trio several few group herd pack pod drei einige trois plusieurs tres varios tre 三 три',
  4: 'four vier quatre cuatro quattro 四 четыре',
  5: 'five many fünf viele cinq cinco cinque 五 пять',
  6: 'six seven eight nine ten eleven twelve dozen hundred hundreds thousand sechs sieben acht neun zehn elf zwölf dutzend hundert sept huit neuf dix siete ocho nueve diez 六 七 八 九 十',
} as const;

/** Plurals that are more than their singular with an s. */
export const PLURAL_WORDS =
  'village villages dorf dörfer häuser segelschiffe ruderboote boote wolves puppies kitties bunnies butterflies people women men children füchse wölfe hunde katzen hasen pferde kamele elefanten wale fische quallen schmetterlinge eulen pinguine frauen männer kinder türme schiffe züge raketen planeten';
