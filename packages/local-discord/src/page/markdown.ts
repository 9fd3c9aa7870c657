import { html, type nothing, type TemplateResult } from 'lit';
import { commandMention } from './command-mention.ts';
import { mentionOf } from './mention.ts';
import { messageLink } from './message-link.ts';
import { type Flavour, type Node, parseMarkdown } from './parsed-markdown.ts';
import { fullTime, styledTime } from './timestamps.ts';
import type { View } from './view.ts';

type Rendered = TemplateResult | string | typeof nothing;

/** Every render of the page needs the nodes of every message again. */
const cache = new Map<string, Node[]>();
const MAX_CACHED = 500;
/** Code of so many characters stays on one line: an option does not end behind its hyphens. */
const UNBROKEN = 24;

/** An item of a list, at the beginning of a line or of one that is quoted: what stands before it, and how deep it is. */
const ITEM = /^((?:>(?:>>)? )?)( *)[-*] (?=\S)/gm;

/** The parser knows no lists: their items get the signs that Discord's client draws. Code stays as it is. */
const withBullets = (text: string): string =>
  text
    .split(/(```[\s\S]*?```)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(ITEM, bullet) : part))
    .join('');

const bullet = (_: string, quote: string, { length }: string): string =>
  `${quote}${'\u2003'.repeat(Math.ceil(length / 2))}${length > 0 ? '◦' : '•'} `;

function nodesOf(text: string, flavour: Flavour): Node[] {
  const key = `${flavour}:${text}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const nodes = parseMarkdown(withBullets(text), flavour);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, nodes);
  return nodes;
}

export function markdown(view: View, text: string, flavour: Flavour = 'extended'): Rendered[] {
  return nodesOf(text, flavour).map((node) => renderNode(view, node));
}

function safeUrl(target: unknown): string | undefined {
  return typeof target === 'string' && /^https?:\/\//i.test(target) ? target : undefined;
}

function link(view: View, target: unknown, inner: Rendered[], { isMasked = false } = {}): Rendered {
  const url = safeUrl(target);
  return url
    ? (messageLink(view, url, isMasked ? inner : undefined) ??
        html`<a class="link" href=${url} target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`)
    : html`${inner}`;
}

/** What is revealed is no button any more, so that links in it are links. It keeps the focus. */
function reveal(event: Event): void {
  const { currentTarget: spoiler } = event;
  if (!(spoiler instanceof HTMLElement) || spoiler.classList.contains('revealed')) return;
  // A space would scroll as well.
  event.preventDefault();
  spoiler.classList.add('revealed');
  spoiler.tabIndex = -1;
  for (const name of ['role', 'aria-label']) spoiler.removeAttribute(name);
}

function renderNode(view: View, node: Node): Rendered {
  const inner = (): Rendered[] =>
    Array.isArray(node.content)
      ? node.content.map((child: Node) => renderNode(view, child))
      : [String(node.content ?? '')];
  switch (node.type) {
    case 'strong':
      return html`<strong>${inner()}</strong>`;
    case 'em':
      return html`<em>${inner()}</em>`;
    case 'underline':
      return html`<u>${inner()}</u>`;
    case 'strikethrough':
      return html`<s>${inner()}</s>`;
    case 'inlineCode':
      return html`<code class=${`inline-code ${String(node.content).length <= UNBROKEN ? 'unbroken' : ''}`}>${node.content}</code>`;
    case 'codeBlock':
      return html`<pre class="code-block" tabindex="0"><code>${node.content}</code></pre>`;
    case 'blockQuote':
      return html`<blockquote class="quote">${inner()}</blockquote>`;
    case 'heading':
      return html`<span class="heading heading-${node.level}" role="heading" aria-level=${node.level + 2}
        >${inner()}</span
      >`;
    case 'subtext':
      return html`<small class="subtext">${inner()}</small>`;
    case 'spoiler':
      return html`<span
        class="spoiler"
        role="button"
        tabindex="0"
        aria-label=${view.words.messages.revealSpoiler}
        @click=${reveal}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter' || event.key === ' ') reveal(event);
        }}
        ><span>${inner()}</span></span
      >`;
    case 'link':
      return link(view, node.target, inner(), { isMasked: true });
    case 'url':
    case 'autolink':
      return link(view, node.target, inner());
    case 'timestamp': {
      const at = new Date(Number(node.timestamp) * 1_000);
      // Beyond the years that a date can have.
      if (Number.isNaN(at.getTime())) return `<t:${node.timestamp}:${node.format ?? 'f'}>`;
      return html`<time
        class="timestamp"
        datetime=${at.toISOString()}
        title=${fullTime(view.locale, at)}
        ?data-relative=${node.format === 'R'}
        .textContent=${styledTime(view.locale, at, node.format ?? 'f')}
      ></time>`;
    }
    case 'br':
    case 'newline':
      return html`<br />`;
    case 'twemoji':
      return node.name;
    case 'emoji':
      return `:${node.name}:`;
    case 'slashCommand':
      return commandMention(view, String(node.fullName));
    default: {
      const mention = mentionOf(view, node);
      return mention
        ? html`<discord-mention type=${mention.type}>${mention.name}</discord-mention>`
        : html`${inner()}`;
    }
  }
}
