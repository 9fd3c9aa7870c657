/** Words, or what stands in braces: one of several sequences. */
type Part = string | Part[][];

/** What a prompt with `{red, blue}` in it stands for. */
export interface Permutations {
  /** How many prompts, which may be far more than anybody wants. */
  total: number;
  /** Every one of them, each once; none where there are more than `most`. */
  prompts: string[];
}

/**
 * `a {red, blue} fox` is a red fox and a blue fox; braces within braces as well. Braces without a comma stay as they are,
 * and so does `\{`, without its backslash.
 */
export function expandPermutations(prompt: string, most: number): Permutations {
  const parts = readParts(prompt);
  const total = countOf(parts);
  if (total > most) return { total, prompts: [] };
  const prompts = [...new Set(expand(parts))];
  return { total: prompts.length, prompts };
}

/** `prompt` so that it stands for nothing but itself. */
export function escapePermutations(prompt: string): string {
  const { total, prompts } = expandPermutations(prompt, 1);
  if (total === 1 && prompts[0] === prompt) return prompt;
  return prompt.replace(/(\\*)([{}])/g, '$1$1\\$2');
}

/** Text, or a brace or a comma with the backslashes before it: an odd number of them makes text of it. */
interface Token {
  text: string;
  mark: string;
  slashes: number;
}

const tokensOf = (prompt: string): Token[] =>
  [...prompt.matchAll(/(\\*)([{},])|[^\\{},]+|\\+/g)].map(([text, { length } = '', mark = '']) => ({
    text,
    mark,
    slashes: length,
  }));

const isEscaped = ({ slashes }: Token): boolean => slashes % 2 === 1;

/** The backslashes that stay of those before a mark: each second one stands for itself. */
const kept = ({ slashes }: Token): string => '\\'.repeat(Math.floor(slashes / 2));

function readParts(prompt: string): Part[] {
  const tokens = tokensOf(prompt);
  const closedBy = matchBraces(tokens);

  /** The alternatives between two tokens; outside of braces a comma is only a comma. */
  function read(from: number, to: number, inBraces: boolean): Part[][] {
    let current: Part[] = [];
    const alternatives = [current];
    for (let index = from; index < to; index++) {
      const token = tokens[index];
      if (!token) continue;
      const { mark, text } = token;
      const end = closedBy.get(index);
      const closing = end === undefined ? undefined : tokens[end];
      if (end !== undefined && closing) {
        const inner = read(index + 1, end, true);
        const [only = []] = inner;
        const after = kept(closing);
        if (inner.length === 1) current.push(`${kept(token)}{`, ...only, `${after}}`);
        else {
          current.push(kept(token), inner);
          inner.at(-1)?.push(after);
        }
        index = end;
      } else if (mark === '' || (mark === ',' && !inBraces)) current.push(text);
      else if (mark === ',' && !isEscaped(token)) {
        current.push(kept(token));
        current = [];
        alternatives.push(current);
      } else current.push(`${kept(token)}${mark}`);
    }
    return alternatives;
  }
  return read(0, tokens.length, false).flat();
}

/** Where each opening brace is closed. */
function matchBraces(tokens: readonly Token[]): Map<number, number> {
  const open: number[] = [];
  const closedBy = new Map<number, number>();
  for (const [index, token] of tokens.entries()) {
    if (isEscaped(token)) continue;
    if (token.mark === '{') open.push(index);
    const opened = token.mark === '}' ? open.pop() : undefined;
    if (opened !== undefined) closedBy.set(opened, index);
  }
  return closedBy;
}

const countOf = (parts: readonly Part[]): number =>
  parts.reduce(
    (product, part) =>
      product * (typeof part === 'string' ? 1 : part.reduce((sum, one) => sum + countOf(one), 0)),
    1,
  );

const expand = (parts: readonly Part[]): string[] =>
  parts.reduce<string[]>(
    (begun, part) => {
      const next =
        typeof part === 'string' ? [part] : part.flatMap((one) => expand(one).map((text) => text.trim()));
      return begun.flatMap((start) => next.map((end) => start + end));
    },
    [''],
  );
