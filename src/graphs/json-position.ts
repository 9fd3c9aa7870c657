/** Where a text is, counted from one, as editors do. */
export interface TextPosition {
  line: number;
  column: number;
}

const SPACE = /[ \t\n\r]*/y;
/** A mark, or a string, a number or a word of JSON. */
const TOKEN =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where `text` stops being JSON; undefined where it is JSON. The engine's own message quotes what stands there, which
 * nobody else may see, and does not always say where it is.
 */
export function whereJsonBreaks(text: string): TextPosition | undefined {
  /** What is open, by what closes it. */
  const open: ('}' | ']')[] = [];
  let at = 0;
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'after' = 'value';

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  }

  for (;;) {
    take(SPACE);
    const before = at;
    const token = take(TOKEN);
    const closing = open.at(-1);
    const isEmpty = expected === 'first key' || expected === 'first value';
    if (token !== '' && token === closing && (isEmpty || expected === 'after')) {
      open.pop();
      expected = 'after';
    } else if (expected === 'after' && closing === undefined) {
      return before === text.length ? undefined : positionAt(text, before);
    } else if (expected === 'after' && token === ',') {
      expected = closing === '}' ? 'key' : 'value';
    } else if (expected === 'colon' && token === ':') {
      expected = 'value';
    } else if ((expected === 'key' || expected === 'first key') && token.startsWith('"')) {
      expected = 'colon';
    } else if ((expected === 'value' || expected === 'first value') && /^[^}\],:]/.test(token)) {
      if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
      expected = token === '{' ? 'first key' : token === '[' ? 'first value' : 'after';
    } else return positionAt(text, before);
  }
}

function positionAt(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
