/** Where a text is, counted from one, as editors do. */
export interface TextPosition {
  line: number;
  column: number;
}

const SPACE = /[ \t\n\r]*/y;
/** A string, a number or a word of JSON. */
const SCALAR =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where `text` stops being JSON; undefined where it is JSON. The engine's own message quotes what stands there, which
 * nobody else may see, and does not always say where it is.
 */
export function whereJsonBreaks(text: string): TextPosition | undefined {
  /** What is open, by what closes it. */
  const open: ('}' | ']')[] = [];
  let at = 0;
  let expected: 'value' | 'first key' | 'key' | 'colon' | 'first item' | 'after' = 'value';

  function skip(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  }

  function close(): void {
    open.pop();
    at++;
    expected = 'after';
  }

  for (;;) {
    skip(SPACE);
    const next = text[at];
    const closing = open.at(-1);
    if (expected === 'after') {
      if (closing === undefined) return next === undefined ? undefined : positionAt(text, at);
      if (next === closing) close();
      else if (next === ',') {
        at++;
        expected = closing === '}' ? 'key' : 'value';
      } else return positionAt(text, at);
    } else if (expected === 'colon') {
      if (next !== ':') return positionAt(text, at);
      at++;
      expected = 'value';
    } else if ((expected === 'first key' && next === '}') || (expected === 'first item' && next === ']')) {
      close();
    } else if (expected === 'key' || expected === 'first key') {
      if (next !== '"' || skip(SCALAR) === '') return positionAt(text, at);
      expected = 'colon';
    } else if (next === '{' || next === '[') {
      open.push(next === '{' ? '}' : ']');
      at++;
      expected = next === '{' ? 'first key' : 'first item';
    } else {
      if (skip(SCALAR) === '') return positionAt(text, at);
      expected = 'after';
    }
  }
}

function positionAt(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
