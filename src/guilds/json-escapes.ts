/**
 * An escape of JSON, in a text of any depth: JSON in JSON has the backslash twice. Looked at once, however many of
 * them there are.
 */
const ESCAPE = /(?<!\\)\\+(?:u([\da-f]{4})|(.))/gis;
/** Escapes that are themselves written as escapes, so deep. */
const DEPTH = 3;

/** The letters that escapes of JSON in a text stand for: `\u0066ox` is `fox`, and `\nfox` has an end of a line. */
export function withoutEscapes(text: string): string {
  let plain = text;
  for (let depth = 0; depth < DEPTH && plain.includes('\\'); depth += 1)
    plain = plain.replace(ESCAPE, (_, code?: string, other?: string) =>
      code === undefined ? letterOf(other ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return plain;
}

const letterOf = (escaped: string): string => (/[bfnrt]/.test(escaped) ? ' ' : escaped);
