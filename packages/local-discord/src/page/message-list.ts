import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { createRef, ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Photo } from './attachments.ts';
import { renderMessage, renderPendingCommand } from './message.ts';
import { isEphemeral } from './message-flags.ts';
import { clickedLink, type Destination } from './message-link.ts';
import type { createMessageMenu } from './message-menu.ts';
import type { Store } from './store.ts';
import { dayLine } from './timestamps.ts';
import type { OpenChannel, View } from './view.ts';

type MessageMenu = ReturnType<typeof createMessageMenu>;

/** Messages of one author within this time are grouped. */
const GROUP_MS = 7 * 60_000;
/** Distance from the end at which the list still counts as scrolled to it. */
const END_THRESHOLD_PX = 80;
/** How long a message that was jumped to is highlighted. */
const HIGHLIGHT_MS = 2_000;

function isGrouped(message: APIMessage, above: APIMessage | undefined): boolean {
  if (!above || message.interaction_metadata || message.referenced_message) return false;
  return (
    above.author.id === message.author.id &&
    isEphemeral(above) === isEphemeral(message) &&
    Date.parse(message.timestamp) - Date.parse(above.timestamp) < GROUP_MS
  );
}

/** Everything that a message is drawn from: while none of it changes, it is left alone. */
const drawnFrom = (view: View, message: APIMessage): unknown[] => [
  message,
  view.locale,
  view.guildId,
  view.guilds,
  view.directMessages,
  view.bots,
  view.snapshot,
  view.channel?.commands,
  view.pendingComponents.get(message.id),
  view.failures.get(message.id),
  new Date().toDateString(),
];

const dateOf = (message: APIMessage) => new Date(message.timestamp).toDateString();

/** The open channel's messages. Stays scrolled to the end while new ones come, unless the user has scrolled up. */
export function createMessageList(options: {
  store: Store;
  openPhotos(photos: Photo[], at: number): void;
  welcome(): TemplateResult;
  menu: MessageMenu;
  redraw(): void;
}) {
  const { store, openPhotos, menu, redraw } = options;
  const scroller = createRef<HTMLElement>();
  const inner = createRef<HTMLElement>();
  let pinnedToEnd = true;
  let lastTop = 0;
  let lastHeight = 0;
  let renderedChannel: OpenChannel | null = null;
  let renderedOldest: string | undefined;
  /** Height from the top of what is seen to the end of the list: kept where the oldest message has changed. */
  let below: number | null = null;

  const scrollToEnd = () => {
    const list = scroller.value;
    if (list) list.scrollTop = list.scrollHeight;
  };

  const pin = (toEnd: boolean) => {
    if (pinnedToEnd === toEnd) return;
    pinnedToEnd = toEnd;
    redraw();
  };

  const onScroll = () => {
    const list = scroller.value;
    if (!list) return;
    // A change of height also changes the distance to the end: only scrolling up unpins.
    const { scrollHeight, scrollTop } = list;
    const near = scrollHeight - scrollTop - list.clientHeight < END_THRESHOLD_PX;
    if (near) pin(true);
    else if (scrollTop < lastTop && scrollHeight === lastHeight) pin(false);
    lastTop = scrollTop;
    lastHeight = scrollHeight;
    loadOlder(list);
  };

  /** Where the list is scrolled to its beginning, or has room for more. */
  const loadOlder = ({ scrollTop }: HTMLElement) => {
    if (scrollTop < 200) void store.loadOlder();
  };

  // Pictures and web components get their height after the render.
  const sizes = new ResizeObserver(() => {
    const list = scroller.value;
    if (!list) return;
    if (pinnedToEnd) scrollToEnd();
    else if (below !== null) list.scrollTop = list.scrollHeight - below;
    below = null;
    loadOlder(list);
  });

  async function jump({ guildId, channelId, messageId }: Destination): Promise<void> {
    if (store.view.channel?.id !== channelId) await store.openChannel(guildId, channelId);
    const { channel } = store.view;
    if (channel?.id !== channelId || !messageId) return;
    const missing = () => channel.messages.every(({ id }) => id !== messageId);
    // What is loaded on the way there stays.
    const wasPinned = pinnedToEnd;
    pinnedToEnd = false;
    while (store.view.channel === channel && missing() && (await store.loadOlder()));
    await new Promise(requestAnimationFrame);
    const found = document.getElementById(`message-${messageId}`);
    if (!found) return pin(wasPinned);
    redraw();
    below = null;
    found.scrollIntoView({ block: 'center' });
    found.animate({ backgroundColor: ['#5865f240', 'transparent'] }, HIGHLIGHT_MS);
  }

  const onClick = (event: Event) => {
    const destination = clickedLink(event);
    if (destination) void jump(destination);
    menu.onClick(event);
  };

  return {
    /** Call after every render of the page. */
    afterRender(): void {
      const { channel } = store.view;
      // Another object, also for the same channel as another user.
      if (channel !== renderedChannel) {
        renderedChannel = channel;
        pinnedToEnd = true;
        lastTop = 0;
        below = null;
      }
      renderedOldest = channel?.messages[0]?.id;
      if (pinnedToEnd) {
        scrollToEnd();
        store.forgetOld();
      }
      // Observed again: a list emptied and filled between two frames keeps its size but not its scroll position.
      sizes.disconnect();
      if (inner.value) sizes.observe(inner.value);
    },

    /** Scrolls down to what the user has just sent. */
    pinToEnd(): void {
      pinnedToEnd = true;
    },

    render(): TemplateResult {
      const { channel, pendingCommands } = store.view;
      const list = channel?.messages ?? [];
      if (scroller.value && list[0]?.id !== renderedOldest)
        below = scroller.value.scrollHeight - scroller.value.scrollTop;
      return html`<div
        class="messages"
        role="log"
        aria-label=${store.view.words.messages.all}
        aria-live="off"
        tabindex="0"
        @scroll=${onScroll}
        @click=${onClick}
        @contextmenu=${menu.onContextMenu}
        @pointerdown=${menu.onPointerDown}
        @pointermove=${menu.onPointerMove}
        @pointerup=${menu.onPointerEnd}
        @pointercancel=${menu.onPointerEnd}
        ${ref(scroller)}
      >
        <div class="messages-inner" ${ref(inner)}>
          ${channel?.loaded && !channel.more ? options.welcome() : nothing}
          ${repeat(
            list,
            ({ id }) => id,
            (message, index) => {
              const above = list[index - 1];
              const newDay = !above || dateOf(above) !== dateOf(message);
              const grouped = !newDay && isGrouped(message, above);
              return html`${
                newDay
                  ? html`<div class="day" role="separator">
                      <span>${dayLine(store.view.locale, new Date(message.timestamp))}</span>
                    </div>`
                  : nothing
              }${guard([grouped, ...drawnFrom(store.view, message)], () =>
                renderMessage(store, message, grouped, openPhotos),
              )}`;
            },
          )}
          ${repeat(
            pendingCommands,
            ({ nonce }) => nonce,
            (command) => renderPendingCommand(store, command),
          )}
        </div>
        ${
          pinnedToEnd
            ? nothing
            : html`<button class="button newest" type="button" @click=${() => pin(true)}>
                <span>${store.view.words.messages.newest}</span>
              </button>`
        }
      </div>`;
    },
  };
}
