import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Photo } from './attachments.ts';
import { attempt, isEphemeral, message } from './message.ts';
import { type Destination, pressedLink } from './message-link.ts';
import type { Session } from './session.ts';
import { dayLine } from './timestamps.ts';
import type { OpenChannel } from './view.ts';

/** Messages of one author within this time stand under one name. */
const GROUP_MS = 7 * 60_000;
/** Distance from the end, in pixels, at which the list still counts as being at its end. */
const AT_THE_END = 80;
/** How long a message that was jumped to stands out, in milliseconds. */
const HIGHLIGHT_MS = 2_000;

function follows(it: APIMessage, above: APIMessage | undefined): boolean {
  if (!above || it.interaction_metadata || it.referenced_message) return false;
  return (
    above.author.id === it.author.id &&
    isEphemeral(above) === isEphemeral(it) &&
    Date.parse(it.timestamp) - Date.parse(above.timestamp) < GROUP_MS
  );
}

const dayOf = (it: APIMessage) => new Date(it.timestamp).toDateString();

/** The open channel's messages. Stays at its end while new ones come, unless the reader has scrolled up. */
export function createMessageList(options: {
  session: Session;
  openPhotos(photos: Photo[], at: number): void;
  welcome(): TemplateResult;
}) {
  const { session, openPhotos } = options;
  const scroller = createRef<HTMLElement>();
  const inner = createRef<HTMLElement>();
  let atTheEnd = true;
  let lastTop = 0;
  let lastHeight = 0;
  let shown: OpenChannel | null = null;

  const toTheEnd = () => {
    const list = scroller.value;
    if (list) list.scrollTop = list.scrollHeight;
  };

  const onScroll = () => {
    const list = scroller.value;
    if (!list) return;
    // What grows or shrinks moves the end and the place as well: only a reader who goes up leaves the end.
    const { scrollHeight, scrollTop } = list;
    const near = scrollHeight - scrollTop - list.clientHeight < AT_THE_END;
    if (near) atTheEnd = true;
    else if (scrollTop < lastTop && scrollHeight === lastHeight) atTheEnd = false;
    lastTop = scrollTop;
    lastHeight = scrollHeight;
    if (scrollTop < 200 && session.view.channel?.more) {
      void session.loadOlder().then(() => {
        list.scrollTop += list.scrollHeight - scrollHeight;
      });
    }
  };

  // Pictures and pieces of the library take their room after the list was drawn.
  const sizes = new ResizeObserver(() => {
    if (atTheEnd) toTheEnd();
  });

  async function jump({ guildId, channelId, messageId }: Destination): Promise<void> {
    if (session.view.channel?.id !== channelId) await session.openChannel(guildId, channelId);
    const { channel } = session.view;
    if (channel?.id !== channelId || !messageId) return;
    const missing = () => channel.messages.every(({ id }) => id !== messageId);
    while (session.view.channel === channel && channel.more && missing()) await session.loadOlder();
    await new Promise(requestAnimationFrame);
    const found = document.getElementById(`message-${messageId}`);
    if (!found) return;
    atTheEnd = false;
    found.scrollIntoView({ block: 'center' });
    found.animate({ backgroundColor: ['#5865f240', 'transparent'] }, HIGHLIGHT_MS);
  }

  const onClick = (event: Event) => {
    const destination = pressedLink(event);
    if (destination) void jump(destination);
  };

  return {
    /** Call after every drawing of the page. */
    settle(): void {
      // A channel is a new one also when it was opened again as somebody else.
      if (session.view.channel !== shown) {
        shown = session.view.channel;
        atTheEnd = true;
        lastTop = 0;
      }
      if (atTheEnd) toTheEnd();
      // Observed anew, for a list that was emptied and filled again between two frames has kept its size, not its place.
      sizes.disconnect();
      if (inner.value) sizes.observe(inner.value);
    },

    /** What the reader has just sent is to be seen. */
    stayAtTheEnd(): void {
      atTheEnd = true;
    },

    draw(): TemplateResult {
      const { channel, attempts } = session.view;
      const list = channel?.messages ?? [];
      return html`<div
        class="messages"
        role="log"
        aria-label="Messages"
        aria-live="off"
        tabindex="0"
        @scroll=${onScroll}
        @click=${onClick}
        ${ref(scroller)}
      >
        <div class="messages-inner" ${ref(inner)}>
          ${channel?.loaded && !channel.more ? options.welcome() : nothing}
          ${repeat(
            list,
            ({ id }) => id,
            (it, index) => {
              const above = list[index - 1];
              const newDay = !above || dayOf(above) !== dayOf(it);
              return html`${
                newDay
                  ? html`<div class="day" role="separator"><span>${dayLine(new Date(it.timestamp))}</span></div>`
                  : nothing
              }${message(session, it, !newDay && follows(it, above), openPhotos)}`;
            },
          )}
          ${repeat(
            attempts,
            ({ id }) => id,
            (it) => attempt(session, it),
          )}
        </div>
      </div>`;
    },
  };
}
