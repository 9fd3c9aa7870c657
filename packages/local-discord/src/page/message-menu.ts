import { type APIMessage, ApplicationCommandType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { VisibleCommand } from '../user-client/shapes.ts';
import { isEphemeral } from './message-flags.ts';
import type { Store } from './store.ts';
import { avatarUrl } from './urls.ts';
import type { View } from './view.ts';

/** Touching a message for this long opens its menu, as in Discord's client, in milliseconds. */
const LONG_PRESS_MS = 500;
/** A finger that moves further than this scrolls. */
const MOVED_PX = 10;
/** Between the menu and the edge of the window. */
const EDGE_PX = 8;

interface Point {
  x: number;
  y: number;
}

/** The applications' commands for messages that the user may use here. */
const messageCommands = ({ channel }: View): VisibleCommand[] =>
  channel?.commands.filter(({ type }) => type === ApplicationCommandType.Message) ?? [];

/** A message that commands can be used on: one that Discord has kept. */
export const hasMenu = (view: View, message: APIMessage): boolean =>
  !isEphemeral(message) && messageCommands(view).length > 0;

const messageIn = ({ target }: Event): HTMLElement | undefined => {
  const found = target instanceof Element ? target.closest('discord-message[data-menu]') : null;
  return found instanceof HTMLElement ? found : undefined;
};

/** Where the browser's own menu is of more use. */
const hasOwnMenu = ({ target }: Event): boolean =>
  (target instanceof Element && target.closest('a, img, input, textarea, select') !== null) ||
  getSelection()?.isCollapsed === false;

/** 'Apps' on a message: by its button, the right mouse button, the menu key, or a long touch. */
export function createMessageMenu({ store, redraw }: { store: Store; redraw(): void }) {
  const menu = createRef<HTMLElement>();
  let messageId: string | null = null;
  let opener: HTMLElement | null = null;
  let at: Point = { x: 0, y: 0 };
  let touch: { timer: ReturnType<typeof setTimeout>; from: Point } | undefined;
  let requested = false;

  function openOn(message: HTMLElement, point: Point): void {
    messageId = message.id.replace('message-', '');
    at = point;
    opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    requested = true;
    redraw();
  }

  function close(): void {
    if (messageId === null) return;
    messageId = null;
    menu.value?.hidePopover();
    opener?.focus();
  }

  function place(): void {
    const list = menu.value;
    if (!list) return;
    const { width, height } = list.getBoundingClientRect();
    list.style.left = `${Math.max(EDGE_PX, Math.min(at.x, innerWidth - width - EDGE_PX))}px`;
    list.style.top = `${Math.max(EDGE_PX, Math.min(at.y, innerHeight - height - EDGE_PX))}px`;
  }

  const endTouch = () => {
    clearTimeout(touch?.timer);
    touch = undefined;
  };

  const items = () => [...(menu.value?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  function onKeyDown(event: KeyboardEvent): void {
    const list = items();
    const index = list.findIndex((item) => item.matches(':focus'));
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab' || event.key === 'Escape') close();
    if (target === undefined) return;
    event.preventDefault();
    list.at(target % list.length)?.focus();
  }

  function run(command: VisibleCommand): void {
    const id = messageId;
    close();
    if (id) void store.invokeOn(command, id);
  }

  // Not a popover that closes by itself: the end of a long touch would close it.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.value?.contains(target)) close();
  });

  return {
    /** The listeners of what holds the messages. */
    onContextMenu(event: MouseEvent): void {
      const message = messageIn(event);
      if (!message || hasOwnMenu(event)) return;
      event.preventDefault();
      endTouch();
      const box = message.getBoundingClientRect();
      // The menu key has no place of its own.
      const byKey = event.clientX === 0 && event.clientY === 0;
      openOn(message, byKey ? { x: box.right, y: box.top } : { x: event.clientX, y: event.clientY });
    },
    onPointerDown(event: PointerEvent): void {
      endTouch();
      const message = messageIn(event);
      if (event.pointerType !== 'touch' || !message || hasOwnMenu(event)) return;
      const from = { x: event.clientX, y: event.clientY };
      touch = { from, timer: setTimeout(() => openOn(message, from), LONG_PRESS_MS) };
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      if (touch && Math.hypot(clientX - touch.from.x, clientY - touch.from.y) > MOVED_PX) endTouch();
    },
    onPointerEnd: endTouch,
    onClick(event: Event): void {
      const button = event.target instanceof Element ? event.target.closest('.message-menu-button') : null;
      const message = button && messageIn(event);
      if (!message) return;
      const { right, bottom } = button.getBoundingClientRect();
      openOn(message, { x: right, y: bottom });
    },

    /** Call after every render of the page. */
    afterRender(): void {
      if (!requested) return;
      requested = false;
      menu.value?.showPopover();
      place();
      items()[0]?.focus();
    },

    render(): TemplateResult {
      const commands = messageCommands(store.view);
      return html`<div
        class="menu"
        popover="manual"
        role="menu"
        aria-label=${store.view.words.messages.apps}
        ${ref(menu)}
        @keydown=${onKeyDown}
      >
        ${
          commands.length > 0
            ? html`<div class="list-head" role="presentation">${store.view.words.messages.apps}</div>
                ${commands.map(
                  (command) =>
                    html`<button class="menu-item" type="button" role="menuitem" tabindex="-1" @click=${() => run(command)}>
                      <img class="avatar small" src=${avatarUrl(command.application.user)} alt="" />
                      <span>${command.name_localized ?? command.name}</span>
                    </button>`,
                )}`
            : nothing
        }
      </div>`;
    },
  };
}
