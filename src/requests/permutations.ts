/** What a prompt with `{red, blue}` in it stands for. */
interface Permutations {
  /** How many prompts, which may be far more than anybody wants. */
  total: number;
  /** Every one of them, each once; none where there are more than `most`. */
  prompts: string[];
}

/**
 * `a {red, blue} fox` is a red fox and a blue fox; braces within braces as well. Braces without a comma stay as they
 * are, and so does `\{`, without its backslash.
 */
export function expandPermutations(prompt: string, most: number): Permutations {
  const tokens = tokensOf(prompt);
  const paired = pairedBraces(tokens);
  const within = (total: number, prompts: () => string[]): Permutations => ({
    total,
    prompts: total > most ? [] : prompts(),
  });
  const followed = (one: Permutations, other: Permutations) =>
    within(one.total * other.total, () =>
      one.prompts.flatMap((start) => other.prompts.map((end) => start + end)),
    );
  const either = (one: Permutations | undefined, other: Permutations) =>
    within((one?.total ?? 0) + other.total, () => [
      ...(one?.prompts ?? []),
      ...other.prompts.map((text) => text.trim()),
    ]);

  // Each token once, however deep its braces stand in others.
  const open: { brace: Token; before: Permutations; alternatives?: Permutations }[] = [];
  let current = NOTHING;
  const addWords = (text: string) => {
    current = { total: current.total, prompts: current.prompts.map((prompt) => prompt + text) };
  };
  for (const token of tokens) {
    const { mark, text } = token;
    const group = open.at(-1);
    if (mark === '{' && paired.has(token)) {
      open.push({ brace: token, before: current });
      current = NOTHING;
    } else if (mark === '}' && paired.has(token) && group) {
      open.pop();
      const { brace, before, alternatives } = group;
      addWords(alternatives ? kept(token) : `${kept(token)}}`);
      const inside = alternatives ? either(alternatives, current) : current;
      current = before;
      addWords(alternatives ? kept(brace) : `${kept(brace)}{`);
      current = followed(current, inside);
    } else if (mark === ',' && group && !isEscaped(token)) {
      addWords(kept(token));
      group.alternatives = either(group.alternatives, current);
      current = NOTHING;
    } else addWords(mark === '' || (mark === ',' && !group) ? text : `${kept(token)}${mark}`);
  }
  if (current.total > most) return current;
  const prompts = [...new Set(current.prompts)];
  return { total: prompts.length, prompts };
}

const NOTHING: Permutations = { total: 1, prompts: [''] };

/** Whether a brace is opened and not closed again: what was meant by it is not known. */
export function hasUnclosedBrace(prompt: string): boolean {
  const tokens = tokensOf(prompt);
  const paired = pairedBraces(tokens);
  return tokens.some((token) => token.mark === '{' && !isEscaped(token) && !paired.has(token));
}

/** `prompt` so that it stands for nothing but itself. */
export function escapePermutations(prompt: string): string {
  const { total, prompts } = expandPermutations(prompt, 1);
  if (total === 1 && prompts[0] === prompt && !hasUnclosedBrace(prompt)) return prompt;
  return tokensOf(prompt)
    .map(({ text, mark, slashes }) =>
      mark === '{' || mark === '}' ? `${'\\'.repeat(2 * slashes + 1)}${mark}` : text,
    )
    .join('');
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

function pairedBraces(tokens: readonly Token[]): ReadonlySet<Token> {
  const open: Token[] = [];
  const paired = new Set<Token>();
  for (const token of tokens) {
    if (isEscaped(token)) continue;
    if (token.mark === '{') open.push(token);
    const opened = token.mark === '}' ? open.pop() : undefined;
    if (opened) paired.add(opened).add(token);
  }
  return paired;
}
