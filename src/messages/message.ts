import type { InteractionEditReplyOptions, RawFile } from 'discord.js';
import type { APIEmbed, RESTPatchAPIWebhookWithTokenMessageJSONBody } from 'discord-api-types/v10';
import mime from 'mime';
import type { Row } from './buttons.ts';

/** A file of a message, with the words that stand for it where it cannot be seen. */
export interface MessageFile {
  name: string;
  bytes: Uint8Array;
  /** Discord's limit is 1024 characters. */
  alt: string;
}

/** A message as the bot writes it, however it leaves. What is left out is empty, also when it replaces another. */
export interface Message {
  content?: string;
  embeds?: APIEmbed[];
  rows?: Row[];
  files?: MessageFile[];
  /** Files of the message that it replaces; the others go. */
  kept?: readonly { id: string; alt: string }[];
  /** Who may be notified by it. Nobody unless named: prompts are full of words of others. */
  notify?: readonly string[];
}

/** Limits of a message, from Discord's documentation ("Message Resource", "Embed Limits", "Uploading Files"). */
export const MESSAGE_LIMITS = {
  content: 2_000,
  embedDescription: 4_096,
  /** Of all texts of all embeds together. */
  embeds: 6_000,
  embedField: 1_024,
  alt: 1_024,
  /** Of one file, in bytes, where an interaction does not say otherwise. */
  attachment: 10 * 1024 * 1024,
} as const;

/** The first `limit` UTF-16 units of `text`, or one less where that would cut a surrogate pair in two. */
export function cut(text: string, limit: number): string {
  const kept = text.slice(0, limit);
  return kept.length < text.length && /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

/** `text` in at most `limit` UTF-16 units, never cut inside a surrogate pair, with an ellipsis where it was cut. */
export const truncate = (text: string, limit: number): string =>
  text.length <= limit ? text : `${cut(text, limit - 1)}…`;

/**
 * `text` without the characters that turn the direction of what follows them, also of words of ours, and without halves
 * of characters, with which Discord takes no message: https://github.com/discord/discord-api-docs/issues/6561
 */
export const inOneDirection = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu, '');

/**
 * `text` shown as it was typed: no markdown of it takes effect, and nothing in it becomes a mention or a link, or is
 * shown as an invitation. Discord looks for these without a scheme, too, and within `<>`: only a broken host is none.
 * (`escapeMarkdown` of discord.js leaves all that, and needs a second for 4000 backslashes.)
 */
export const verbatim = (text: string): string =>
  inOneDirection(text)
    .replace(/[\\`*_~|[\]<>]/g, '\\$&')
    .replace(/^( *)([#+-])/gm, '$1\\$2')
    .replace(/^( *\d+)\./gm, '$1\\.')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/(?<=[^\s\\])\.(?=\p{L})/gu, '\\.')
    .replace(/@(?=everyone|here)/g, '\\@');

/** What Discord shows as more than a link wherever it stands in a message. */
const SHOWN_BY_DISCORD = /(^|\.)discord(app)?\.(gg|com|new|gift)$/i;

/** The dot of such a host where it stands in the path of another one, which an address may spell otherwise. */
const SHOWN_WITHIN = /(?<=discord(app)?)\.(?=(gg|com|new|gift)\b)/gi;

/**
 * An address as a link that shows itself, and nothing of what it leads to. What the service calls one may hold
 * anything.
 */
export function bareLink(url: string): string {
  if (!URL.canParse(url)) return verbatim(url);
  const { href, host, hostname, protocol } = new URL(url);
  const isWeb = /^https?:$/.test(protocol) && !SHOWN_BY_DISCORD.test(hostname);
  if (!isWeb) return verbatim(href);
  const pathAt = href.indexOf(host) + host.length;
  // Two bars would end the spoiler around it.
  const path = href.slice(pathAt).replace(SHOWN_WITHIN, '%2E').replaceAll('|', '%7C');
  return `<${href.slice(0, pathAt)}${path}>`;
}

/**
 * As `truncate`. Of a link that does not fit nothing is left, nor of the spoiler around it: half of one would unfurl, or
 * show what is hidden.
 */
export const truncateLinked = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : truncate(text, limit).replace(/(\|{1,2}(<[^<>\s]*(>\|{0,2})?)?|<[^<>\s]*)…$/, '…');

const fitContent = (content: string): string => truncateLinked(content, MESSAGE_LIMITS.content);

/** Their descriptions cut where they do not fit beside their other texts: the longest ones, to the same length. */
function fitEmbeds(embeds: readonly APIEmbed[]): APIEmbed[] {
  let left = MESSAGE_LIMITS.embeds;
  for (const { title = '', footer, fields = [] } of embeds)
    for (const text of [title, footer?.text ?? '', ...fields.flatMap(({ name, value }) => [name, value])])
      left -= text.length;
  let most: number = MESSAGE_LIMITS.embedDescription;
  const lengths = embeds.flatMap(({ description }) =>
    description === undefined ? [] : [Math.min(description.length, most)],
  );
  for (const [nth, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.max(1, Math.floor(left / (lengths.length - nth)));
    if (length > share) {
      most = share;
      break;
    }
    left -= length;
  }
  return embeds.map((embed) =>
    embed.description === undefined
      ? embed
      : { ...embed, description: truncateLinked(embed.description, most) },
  );
}

/** What a file shows, for who cannot see it. */
const described = (alt: string): string => truncate(inOneDirection(alt), MESSAGE_LIMITS.alt);

/** A message as the body of a request: every field named, mentions silenced, lengths within bounds. */
export function toBody({
  content = '',
  embeds = [],
  rows = [],
  files = [],
  kept = [],
  notify = [],
}: Message): {
  body: RESTPatchAPIWebhookWithTokenMessageJSONBody;
  files: RawFile[];
} {
  return {
    body: {
      content: fitContent(content),
      embeds: fitEmbeds(embeds),
      components: rows,
      allowed_mentions: { parse: [], users: [...notify] },
      attachments: [
        ...kept.map(({ id, alt }) => ({ id, description: described(alt) })),
        ...files.map(({ name, alt }, id) => ({
          id: `${id}`,
          filename: name,
          description: described(alt),
        })),
      ],
    },
    files: files.map(({ name, bytes }) => ({
      name,
      data: Buffer.from(bytes),
      contentType: mime.getType(name) ?? 'application/octet-stream',
    })),
  };
}

/** The same for discord.js, as an answer to an interaction. */
export const toReplyOptions = ({ content = '', embeds = [], rows = [], files = [], notify = [] }: Message) =>
  ({
    content: fitContent(content),
    embeds: fitEmbeds(embeds),
    components: rows,
    files: files.map(({ name, bytes, alt }) => ({
      attachment: Buffer.from(bytes),
      name,
      description: described(alt),
    })),
    allowedMentions: { parse: [], users: notify },
  }) satisfies InteractionEditReplyOptions;
