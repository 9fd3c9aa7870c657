import { html, nothing, type TemplateResult } from 'lit';
import { channelIcon, channels, isAgeRestricted } from './channels.ts';
import type { Composer } from './composer/composer.ts';
import { drawComposer } from './composer/line.ts';
import { icons } from './icons.ts';
import { members } from './members.ts';
import { channelById, channelName } from './names.ts';
import { people } from './people.ts';
import { servers } from './servers.ts';
import type { Session } from './session.ts';

/** Which side is drawn over the chat where there is no room beside it. */
export type Drawer = 'channels' | 'side' | null;

export interface Parts {
  session: Session;
  composer: Composer;
  messages: { draw(): TemplateResult };
  account: { draw(): TemplateResult | typeof nothing };
  modal: { draw(): TemplateResult };
  lightbox: { draw(): TemplateResult };
  drawer: Drawer;
  /** The visitor has used a command before, here or on an earlier visit. */
  experienced: boolean;
  setDrawer(drawer: Drawer): void;
  become(personId: string): void;
  begin(command: string): void;
}

function notice(): TemplateResult {
  return html`<header class="notice" role="note">
    <strong>This is not Discord.</strong>
    <span>It is Darkroom’s playground on your own machine: the bot is real, its Discord is a local one.</span>
  </header>`;
}

function chatHead(parts: Parts): TemplateResult {
  const { view } = parts.session;
  const channel = view.channel && channelById(view, view.channel.id);
  const topic = channel && 'topic' in channel ? channel.topic : null;
  return html`<header class="chat-head">
    ${drawerButton(parts, 'channels', 'only-narrow', 'Servers and channels', icons.menu)}
    ${channel ? channelIcon(view, channel) : nothing}
    <h2>${channel ? channelName(view, channel) : ''}</h2>
    ${topic ? html`<p class="topic" title=${topic}>${topic}</p>` : nothing}
    ${view.online ? nothing : html`<span class="lost" role="status">Connection lost. Trying again…</span>`}
    ${drawerButton(parts, 'side', 'only-medium', 'Account and members', icons.members)}
  </header>`;
}

function drawerButton(
  parts: Parts,
  drawer: NonNullable<Drawer>,
  where: string,
  label: string,
  icon: TemplateResult,
): TemplateResult {
  const open = parts.drawer === drawer;
  return html`<button
    class="tool ${where}"
    type="button"
    aria-label=${label}
    aria-expanded=${open ? 'true' : 'false'}
    @click=${() => parts.setDrawer(open ? null : drawer)}
  >
    ${icon}
  </button>`;
}

/** What stands above the first message of a channel. */
export function welcome(parts: Pick<Parts, 'session' | 'begin'>): TemplateResult {
  const { view } = parts.session;
  const channel = view.channel && channelById(view, view.channel.id);
  if (!channel) return html``;
  const name = channelName(view, channel);
  const direct = 'recipients' in channel;
  const offers = view.channel?.commands.some(({ name: command }) => command === 'imagine');
  return html`<div class="welcome">
    <span class="welcome-icon">${channelIcon(view, channel)}</span>
    <h2>${direct ? name : `Welcome to #${name}!`}</h2>
    <p>
      ${
        direct
          ? `This is the beginning of your conversation with ${name}.`
          : `This is the start of the #${name} channel. ${'topic' in channel ? (channel.topic ?? '') : ''}`
      }
    </p>
    ${
      offers
        ? html`<button class="button primary" type="button" @click=${() => parts.begin('imagine')}>
            <span>Try /imagine</span>
          </button>`
        : nothing
    }
  </div>`;
}

function placeholder({ session, experienced }: Parts): string {
  const { view } = session;
  if (!experienced) return 'Type /imagine and press Enter';
  const channel = view.channel && channelById(view, view.channel.id);
  if (!channel) return 'Message';
  return 'recipients' in channel
    ? `Message @${channelName(view, channel)}`
    : `Message #${channelName(view, channel)}${isAgeRestricted(channel) ? ' (18+)' : ''}`;
}

/** The whole page. */
export function layout(parts: Parts): TemplateResult {
  const { session, drawer } = parts;
  if (!session.view.hello) {
    return html`${notice()}
      <main class="waiting-room"><p role="status">Waiting for the playground…</p></main>`;
  }
  const close = () => parts.setDrawer(null);
  return html`${notice()}
    <div
      class="app ${drawer ? `drawer-${drawer}` : ''}"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && drawer && close()}
    >
      <div class="left">
        ${servers(session)} ${channels(session, people(session, parts.become), close)}
      </div>
      <main class="chat" aria-label="Chat">
        ${chatHead(parts)} ${parts.messages.draw()} ${drawComposer(parts.composer, placeholder(parts))}
      </main>
      <aside class="side" aria-label="Account and members">${parts.account.draw()} ${members(session.view)}</aside>
      ${drawer ? html`<button class="shade" type="button" aria-label="Back to the chat" @click=${close}></button>` : nothing}
    </div>
    ${parts.modal.draw()} ${parts.lightbox.draw()}`;
}
