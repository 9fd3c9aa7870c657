/**
 * How many brackets, colons and bars of a prompt mean something to a WebUI: 40 words with a weight. Its parser (Earley,
 * of lark 1.1.2) takes a second for as many in the worst order, and hours for the thousands that a prompt has room for.
 */
const MOST_SYNTAX = 120;

/**
 * A member's words as a WebUI may be sent them: the work that they ask for is bounded by what is paid for. Otherwise the
 * model is evaluated once more in every step for each `AND`, and each `BREAK` is filled up to 75 tokens. Both are read
 * in capitals only, once `<…:…>` was taken out: what stands around it must not become one. Source: `prompt_parser.py`
 * and `extra_networks.py` of AUTOMATIC1111/stable-diffusion-webui.
 */
export function boundedPrompt(words: string): string {
  let syntax = 0;
  return words
    .replaceAll(/>(?=[A-Z])/g, '> ')
    .replaceAll(/(?<![\p{L}\p{N}_])(?:AND|BREAK)(?![\p{L}\p{N}_])/gu, (word) => word.toLowerCase())
    .replaceAll(/\\.|[()[\]:|]/g, (found) =>
      found.startsWith('\\') || ++syntax <= MOST_SYNTAX ? found : `\\${found}`,
    );
}
