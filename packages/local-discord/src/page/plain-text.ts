import { mentionOf } from './mention.ts';
import { messageLinkText } from './message-link.ts';
import { type Node, parseMarkdown } from './parsed-markdown.ts';
import type { View } from './view.ts';

/**
 * Discord's markdown as one line of plain words, for a preview or a screen reader. What a spoiler hides stays hidden.
 */
export function plainText(view: View, text: string): string {
  return wordsOf(view, parseMarkdown(text, 'extended')).replaceAll(/\s+/g, ' ').trim();
}

function wordsOf(view: View, nodes: readonly Node[]): string {
  return nodes.map((node) => words(view, node)).join('');
}

function words(view: View, node: Node): string {
  switch (node.type) {
    case 'spoiler':
      return '•••';
    case 'br':
    case 'newline':
      return ' ';
    case 'twemoji':
      return String(node.name);
    case 'emoji':
      return `:${node.name}:`;
    case 'timestamp':
      return '';
    case 'slashCommand':
      return `/${node.fullName}`;
    case 'url':
    case 'autolink':
      return messageLinkText(view, String(node.target)) ?? inner(view, node);
    case 'heading':
    case 'subtext':
    case 'blockQuote':
    case 'codeBlock':
      return ` ${inner(view, node)} `;
    default: {
      const mention = mentionOf(view, node);
      return mention ? `${mention.sign}${mention.name}` : inner(view, node);
    }
  }
}

const inner = (view: View, { content }: Node): string =>
  Array.isArray(content) ? wordsOf(view, content) : String(content ?? '');
