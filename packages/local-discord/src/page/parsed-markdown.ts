import { rules, rulesExtended, SimpleMarkdown } from 'discord-markdown-parser';

export type Node = ReturnType<typeof parseNormal>[number];
/** `extended` adds masked links, which bots and embeds may use. */
export type Flavour = 'normal' | 'extended';

/**
 * `[words](https://example.com "title")`, with one more pair of brackets in the words and in the address. The parser's
 * own expression takes a time that grows with the cube of a text that is no link.
 */
const LINK =
  /^\[((?:\[[^[\]]*\]|\\[\s\S]|[^[\]\\])*)\]\(\s*<?(https?:\/\/(?:\([^\s()<>]*\)|[^\s()<>])+)>?(?:\s+(?:"([^"]*)"|'[^']*'))?\s*\)/i;

type Rules = Parameters<typeof SimpleMarkdown.parserFor>[0];

/** By its own rules, the parser sees no line begin behind a quote, which takes the end of its last line with it. */
const atLineStart = (rule: Rules[string]): Rules[string] => ({
  ...rule,
  match: (source, state, before) =>
    /(^|\n)$/.test(before) ? rule.match(source, { ...state, prevCapture: null }, before) : null,
});

/** Behind a block, the end of its line would be an empty one. */
const withLineEnd = (rule: Rules[string]): Rules[string] => ({
  ...rule,
  match(source, state, before) {
    const found = rule.match(source, state, before);
    const [block = ''] = found ?? [];
    if (found && source[block.length] === '\n') found[0] = `${block}\n`;
    return found;
  },
});

function parserOf(all: Rules) {
  const { heading, subtext, codeBlock } = all;
  const lines = heading && subtext && { heading: atLineStart(heading), subtext: atLineStart(subtext) };
  const blocks = codeBlock && { codeBlock: withLineEnd(codeBlock) };
  return SimpleMarkdown.parserFor(Object.assign({}, all, lines, blocks));
}

const parseNormal = parserOf(rules);
const parseExtended = parserOf({
  ...rulesExtended,
  link: { ...SimpleMarkdown.defaultRules.link, match: SimpleMarkdown.inlineRegex(LINK) },
});

/** More of them in a row than anybody means: the parser would go down a level with each. */
const TOO_MANY_MARKS = /[*_]{100}/;

/** A text as Discord's markdown. Where the parser makes nothing of it, it stands as it is. */
export function parseMarkdown(text: string, flavour: Flavour): Node[] {
  const asItIs = [{ type: 'text', content: text }];
  if (TOO_MANY_MARKS.test(text)) return asItIs;
  try {
    return (flavour === 'normal' ? parseNormal : parseExtended)(text, { inline: true });
  } catch {
    // Its expressions run out of stack.
    return asItIs;
  }
}
