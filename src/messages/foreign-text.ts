import { inOneDirection, truncate } from './message.ts';

/** Characters of a name: nobody needs more to know whose it is. */
const NAME = 60;

/**
 * A text that somebody else has chosen, such as the name of an account, made safe to stand in a sentence of ours: on
 * one line, cut to `limit` characters, without any that turn, hide or pile up what surrounds them, and with nothing
 * in it that takes effect: no markdown, no mention, no link.
 */
export const foreignText = (text: string, limit = NAME): string =>
  truncate(readable(text), limit)
    .replace(/[\\`*_~|[\]<>@:.#]/g, '\\$&')
    .replace(/^[+-]/, '\\$&');

/**
 * Words that somebody typed, in a sentence that is about them as they were typed. Where none of them can be seen a space
 * is: two backticks alone would make code of what follows, and words of the next one's code.
 */
export const inCode = (typed: string): string =>
  `\`${truncate(inOneDirection(typed).trim().replaceAll('`', '’'), NAME) || ' '}\``;

/** Without control and format characters (right-to-left, zero-width), with at most two marks on a letter. */
export const readable = (text: string): string =>
  // No more than could be shown is looked at: a text may be of any length.
  text
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
