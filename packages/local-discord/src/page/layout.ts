import { html, nothing, type TemplateResult } from 'lit';
import { channelIcon, channels, isAgeRestricted } from './channels.ts';
import { clickedCommand } from './command-mention.ts';
import type { Composer } from './composer/composer.ts';
import { renderComposer } from './composer/composer-view.ts';
import { channelName } from './display.ts';
import { icons } from './icons.ts';
import { members } from './members.ts';
import { openChannelOf } from './selectors.ts';
import { servers } from './servers.ts';
import type { Store } from './store.ts';
import { userSwitcher } from './user-switcher.ts';
import type { View } from './view.ts';
import { suggestedCommand } from './welcome.ts';

/** The side that is open over the chat on a narrow screen. */
export type Drawer = 'channels' | 'side' | null;

export interface LayoutProps {
  store: Store;
  composer: Composer;
  messages: { render(): TemplateResult };
  panel: { render(): TemplateResult | typeof nothing };
  modal: { render(): TemplateResult };
  menu: { render(): TemplateResult };
  settings: { render(): TemplateResult };
  lightbox: { render(): TemplateResult };
  drawer: Drawer;
  /** The visitor has used a command before, here or on an earlier visit. */
  hasUsedCommand: boolean;
  setDrawer(drawer: Drawer): void;
  switchUser(userId: string): void;
  startCommand(path: string): void;
}

function notice({ snapshot, words }: View): TemplateResult {
  return html`<header class="notice">
    <strong>${words.notDiscord}</strong>
    <span>${snapshot && (snapshot.notice ?? words.notice)}</span>
  </header>`;
}

const sideLabel = ({ panel, words }: View) =>
  panel ? words.members.withPanel(panel.title) : words.members.all;

function chatHead(props: LayoutProps): TemplateResult {
  const { view } = props.store;
  const channel = openChannelOf(view);
  const topic = channel && 'topic' in channel ? channel.topic : null;
  return html`<header class="chat-head">
    ${renderDrawerButton(props, 'channels', 'only-narrow', view.words.servers.withChannels, icons.menu)}
    ${channel ? channelIcon(view, channel) : nothing}
    <h1 class="one-line">${channel ? channelName(view, channel) : ''}</h1>
    ${topic ? html`<p class="topic one-line" title=${topic}>${topic}</p>` : nothing}
    ${renderDrawerButton(props, 'side', 'only-medium', sideLabel(view), icons.members)}
  </header>`;
}

/** What is on the page stays there while the server is gone. */
function connectionLost({ view, retry }: Store): TemplateResult | typeof nothing {
  if (view.online) return nothing;
  return html`<div class="connection-lost">
    <span>${view.words.connection.retrying}</span>
    <button class="link" type="button" @click=${retry}>${view.words.connection.retry}</button>
  </div>`;
}

function renderDrawerButton(
  props: LayoutProps,
  drawer: NonNullable<Drawer>,
  where: string,
  label: string,
  icon: TemplateResult,
): TemplateResult {
  const open = props.drawer === drawer;
  return html`<button
    class="tool ${where}"
    type="button"
    aria-label=${label}
    aria-expanded=${open ? 'true' : 'false'}
    @click=${() => props.setDrawer(open ? null : drawer)}
  >
    ${icon}
  </button>`;
}

function placeholder({ store, hasUsedCommand }: LayoutProps): string {
  const { view } = store;
  const words = view.words.composer;
  const suggested = suggestedCommand(view);
  if (!hasUsedCommand && suggested) return words.invitation(suggested);
  const channel = openChannelOf(view);
  if (!channel) return words.message;
  return 'recipients' in channel
    ? words.messageTo(`@${channelName(view, channel)}`)
    : words.messageTo(`#${channelName(view, channel)}${isAgeRestricted(channel) ? ' (18+)' : ''}`);
}

export function layout(props: LayoutProps): TemplateResult {
  const { store, drawer } = props;
  const { words } = store.view;
  if (!store.view.snapshot) {
    return html`${notice(store.view)}
      <main class="connecting"><p role="status">${words.waiting}</p></main>`;
  }
  const close = () => props.setDrawer(null);
  return html`${notice(store.view)}
    <div
      class="app ${drawer ? `drawer-${drawer}` : ''}"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && drawer && close()}
      @click=${(event: Event) => {
        const command = clickedCommand(event);
        if (command) props.startCommand(command);
      }}
    >
      <div class="left">
        ${servers(store)} ${channels(store, userSwitcher(store, props.switchUser, props.settings.render()), close)}
      </div>
      <main class="chat" aria-label=${words.chat}>
        ${chatHead(props)} ${connectionLost(store)} ${props.messages.render()}
        ${renderComposer(props.composer, store.view, placeholder(props))}
      </main>
      <aside class="side" aria-label=${sideLabel(store.view)}>${props.panel.render()} ${members(store.view)}</aside>
      ${drawer ? html`<button class="backdrop" type="button" aria-label=${words.servers.back} @click=${close}></button>` : nothing}
    </div>
    ${props.menu.render()} ${props.modal.render()} ${props.lightbox.render()}`;
}
