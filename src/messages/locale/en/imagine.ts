import type { Preset } from '../../../limits/size.ts';
import { boldCredits, list, number } from './formats.ts';

/** The form of everything that `/imagine` takes. */
export const editForm = {
  edit: 'Edit',
  prompt: 'Prompt',
  negativePrompt: 'Leave out',
  sizeDescription: 'Such as portrait, or 1024x768',
  /** Of a field. */
  cut: (characters: number) =>
    `The last ${number(characters)} ${characters === 1 ? 'character does' : 'characters do'} not fit, and are missing`,
  undecided: 'Not set',
  graph: 'ComfyUI graph (.json)',
  attachGraph: 'Attach it again: the file from before was not kept',
  graphName: 'Graph of this server',
  graphNameDescription: 'Without a name, it is drawn without a graph',
  more: 'More options',
  /** `flags`: those that have an effect. */
  moreDescription: (flags: readonly string[]) => `Such as ${[...flags, '--n 4 --private'].join(' ')}`,
};

/** Asked before several pictures are paid for. */
export const question = {
  seen: 'Nobody here sees it, but **strangers do**: volunteers draw it, and see your words and the picture. Make it all the same?',
  pictures: (count: number) => `Make **${count}** pictures?`,
  price: (credits: number, balance: number | undefined) =>
    `They cost ${boldCredits(credits)}.${balance === undefined ? '' : ` You have **${number(balance)}**.`}`,
};

export const confirm = {
  make: 'Make',
  dropped: 'Cancelled. Nothing was sent.',
  /** What became of it, in place of the question. */
  begun: {
    asked: (link: string | undefined) => `Asked for: ${link ?? '`/jobs` shows how far it is.'}`,
    waiting: () => 'It is ready, but could not be shown here. You will find it in `/jobs`.',
    delivered: (link: string | undefined) => (link === undefined ? 'It is ready.' : `It is ready: ${link}`),
    failed: 'It did not come out.',
    cancelled: 'It was cancelled.',
    lost: 'It could not be started. Nothing was sent, so it cost nothing.',
  },
  notKept: 'I could not keep what you typed, so nothing was made. Try again in a minute.',
};

export const sizes = {
  Square: 'Square',
  Portrait: 'Portrait',
  Landscape: 'Landscape',
  'Large square': 'Large square',
  'Large portrait': 'Large portrait',
  'Large landscape': 'Large landscape',
  Widescreen: 'Widescreen',
} satisfies Record<Preset, string>;

/** What was typed wrong into `/imagine`. */
export const typed = {
  tooLong: (field: string, characters: number) =>
    `${field}: ${number(characters)} ${characters === 1 ? 'character' : 'characters'} too long.`,
  unknown: (flag: string, meant: string | undefined) =>
    meant === undefined ? `There is no ${flag}.` : `There is no ${flag}. Did you mean ${meant}?`,
  flags: (flags: readonly string[]) => `The flags are ${list.format(flags)}: \`/help\` explains them.`,
  /** `longest`: the n of n:1. */
  ratio: (ratio: string, longest: number) =>
    `A picture cannot be as narrow as ${ratio}: ratios go from \`1:${longest}\` to \`${longest}:1\`.`,
  flagElsewhere: (flag: string) => `${flag} does nothing here. Leave it out.`,
  flagTwice: (flag: string) => `${flag} contradicts another flag. Keep one.`,
  contradiction: (option: string) => `${option} says one thing, and a flag another. Keep one.`,
  noFlags: (words: string) => `*More options* takes flags such as \`--seed 7\`, not ${words}.`,
  unclosedBrace:
    'A brace is opened and not closed. `a {red, blue} fox` makes one of each; for a brace itself type `\\{`.',
  noWords: 'Say what to leave out, such as `--no text, hands`.',
  onOrOff: 'Takes `on`, `off` or nothing.',
  tooManyPictures: (pictures: number, most: number) =>
    pictures > 1_000
      ? `That would be more than 1,000 pictures. ${most} are the most at once.`
      : `That would be ${pictures} pictures. ${most} are the most at once.`,
  draftGone: 'I no longer have what you typed. Use `/imagine` again.',
  onlyWords:
    'That was too long ago: a graph or a picture that belonged to it is gone. Your words can be drawn without it.',
};
