import { nearest } from '@darkroom/process';

/**
 * Every spelling that means something here, by what it decides. The first of each is ours; the others are those of
 * other bots.
 */
const SPELLINGS = {
  size: ['size', 'ar', 'aspect', 'aspect_ratio', 'ratio'],
  workflow: ['workflow', 'w'],
  steps: ['steps', 'step'],
  seed: ['seed'],
  variation_of: ['variation_of'],
  cfg: ['cfg', 'cfg_scale', 'guidance'],
  strength: ['strength', 'denoise'],
  model: ['model', 'checkpoint', 'ckpt'],
  count: ['n', 'count', 'repeat', 'r'],
  private: ['private', 'stealth'],
  public: ['public'],
  spoiler: ['spoiler'],
  niji: ['niji'],
  width: ['width'],
  height: ['height', 'h'],
  negative_prompt: ['no', 'negative_prompt', 'negative', 'neg'],
} as const satisfies Record<string, readonly string[]>;
export type FlagMeaning = keyof typeof SPELLINGS;

/** Flags of other bots that have no meaning here. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'chaos c stylize stylise s style quality q version v tile weird iw stop video fast relax turbo sref cref sw cw ' +
    'oref ow draft raw hd profile p exp test upbeta uplight creative sameseed sampler clip_skip lora'
  ).split(' '),
);

// The keys of SPELLINGS: the type of `keys` forgets them.
const ALL = Object.keys(SPELLINGS) as FlagMeaning[];

const MEANINGS: ReadonlyMap<string, FlagMeaning> = new Map(
  ALL.flatMap((meaning) => SPELLINGS[meaning].map((name) => [name, meaning] as const)),
);

const plain = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** What a flag of this name decides; undefined where nothing here does. */
export const meaningOf = (name: string): FlagMeaning | undefined => MEANINGS.get(plain(name));

export const isKnownElsewhere = (name: string): boolean => ELSEWHERE.has(plain(name));

/** The spelling of ours. */
export const flagOf = (meaning: FlagMeaning): string => `--${SPELLINGS[meaning][0]}`;

/** The flags that are listed to somebody who knows none. */
export const FLAGS: readonly string[] = ALL.filter(
  (meaning) => !['variation_of', 'public', 'niji', 'width', 'height'].includes(meaning),
).map(flagOf);

/** One letter is too short to be taken for a misspelt flag. */
const SUGGESTED = [...MEANINGS.keys()].filter((known) => known.length > 1);

/** The flag that a misspelt one may have been meant to be. */
export function suggestedFlag(name: string): string | undefined {
  const found = nearest(plain(name), SUGGESTED);
  return found === undefined ? undefined : `--${found}`;
}
