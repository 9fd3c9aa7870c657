import { parse } from 'discord-markdown-parser';

export type Node = ReturnType<typeof parse>[number];
/** `extended` adds masked links, which bots and embeds may use. */
export type Flavour = 'normal' | 'extended';

/** A text as Discord's markdown. Of thousands of marks in a row the parser makes nothing: they stand as they are. */
export function parseMarkdown(text: string, flavour: Flavour): Node[] {
  try {
    return parse(text, flavour);
  } catch {
    // Its expressions run out of stack.
    return [{ type: 'text', content: text }];
  }
}
