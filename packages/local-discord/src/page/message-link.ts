import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { channelName } from './display.ts';
import { icons } from './icons.ts';
import { channelIn } from './selectors.ts';
import type { View } from './view.ts';

/** Where a Discord link to a channel or a message leads; `guildId`: `null` for a direct message. */
export interface Destination {
  guildId: string | null;
  channelId: string;
  messageId: string | null;
}

const LINK = /^https:\/\/discord\.com\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?$/;

function destinationOf(url: string): Destination | undefined {
  const [, guildId, channelId, messageId] = LINK.exec(url) ?? [];
  if (!guildId || !channelId) return undefined;
  return { guildId: guildId === '@me' ? null : guildId, channelId, messageId: messageId ?? null };
}

/**
 * A link to a message as Discord's client shows it, with its `label` where it has one; `undefined` where `url` leads
 * elsewhere.
 */
export function messageLink(view: View, url: string, label?: unknown): TemplateResult | undefined {
  const to = destinationOf(url);
  if (!to) return undefined;
  const channel = channelIn(view, to.guildId, to.channelId);
  if (!channel) return html`<span class="jump">${icons.hash}${view.words.unknown.channel}</span>`;
  if (label !== undefined) return html`<button class="link" type="button" data-url=${url}>${label}</button>`;
  return html`<button class="jump" type="button" data-url=${url}>
    ${to.guildId ? icons.hash : nothing}${channelName(view, channel)}${
      to.messageId
        ? html`${icons.right}<span class="visually-hidden">${view.words.messages.link}</span>${icons.chat}`
        : nothing
    }
  </button>`;
}

/** The same in plain words: `#general › message`. */
export function messageLinkText(view: View, url: string): string | undefined {
  const to = destinationOf(url);
  if (!to) return undefined;
  const channel = channelIn(view, to.guildId, to.channelId);
  const name = `${to.guildId ? '#' : ''}${channel ? channelName(view, channel) : view.words.unknown.channel}`;
  return channel && to.messageId ? `${name} › ${view.words.messages.link}` : name;
}

/** What Discord's client copies as the link of a message. */
export function messageUrl(view: View, { id, channel_id }: APIMessage): string {
  return `https://discord.com/channels/${view.guildId ?? '@me'}/${channel_id}/${id}`;
}

export function clickedLink({ target }: Event): Destination | undefined {
  const link = target instanceof Element ? target.closest('button[data-url]') : null;
  return link instanceof HTMLElement ? destinationOf(link.dataset.url ?? '') : undefined;
}
