import type { APIMessage } from 'discord-api-types/v10';
import { render } from 'lit';
import type { PageUser } from '../page-server/protocol.ts';
import { createComposer } from './composer/composer.ts';
import { afterComposerRender } from './composer/composer-view.ts';
import { displayUser } from './display.ts';
import { type Drawer, type LayoutProps, layout, welcome } from './layout.ts';
import { createLightbox } from './lightbox.ts';
import { createMessageList } from './message-list.ts';
import { createModal } from './modal.ts';
import { createPanel } from './panel.ts';
import { preferences } from './preferences.ts';
import { restyleComponents } from './skyra.ts';
import { createStore } from './store.ts';

restyleComponents();

let renderQueued = false;
/** Renders once for all changes of one turn. */
function redraw(): void {
  if (renderQueued) return;
  renderQueued = true;
  queueMicrotask(() => {
    renderQueued = false;
    renderPage();
  });
}

/** An ARIA live region: reads one text at a time to a screen reader. */
function createLiveRegion() {
  const region = document.createElement('div');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.documentElement.append(region);

  return {
    announce(text: string): void {
      region.textContent = '';
      // An unchanged text would not be read again.
      requestAnimationFrame(() => {
        region.textContent = text.slice(0, 200);
      });
    },
  };
}

const { announce } = createLiveRegion();
const announceMessage = (emptyText: string) => (message: APIMessage) =>
  announce(`${displayUser(store.view, message.author).name}: ${message.content || emptyText}`);
const store = createStore({
  redraw,
  onReconnect: () => composer.clearOfflineProblem(),
  onMessage: announceMessage('new message'),
  onAttachment: announceMessage('a picture has arrived'),
});
const composer = createComposer({ store, redraw });
const lightbox = createLightbox(redraw);

const messages = createMessageList({ store, openPhotos: lightbox.open, welcome: () => welcome(props) });
const modal = createModal({ store, redraw });

const props: LayoutProps = {
  store,
  composer,
  lightbox,
  messages,
  modal,
  panel: createPanel({ view: store.view, redraw, announce }),
  drawer: null,
  hasUsedCommand: preferences.hasUsedCommand(),
  setDrawer(drawer: Drawer) {
    props.drawer = drawer;
    redraw();
  },
  switchUser(userId) {
    preferences.saveUserId(userId);
    composer.clear();
    store.switchUser(userId);
  },
  startCommand: composer.startCommandByPath,
};

function renderPage(): void {
  const { snapshot, pendingCommands } = store.view;
  if (snapshot) document.title = snapshot.title;
  if (pendingCommands.length > 0) messages.pinToEnd();
  if (pendingCommands.length > 0 && !props.hasUsedCommand) {
    props.hasUsedCommand = true;
    preferences.saveHasUsedCommand();
  }
  render(layout(props), document.body);
  messages.afterRender();
  modal.afterRender();
  afterComposerRender(composer);
  scheduleTimestamps();
}

let timestampTimer: ReturnType<typeof setTimeout> | undefined;
/** Updates relative times every second while there are any. */
function scheduleTimestamps(): void {
  clearTimeout(timestampTimer);
  if (document.querySelector('time[data-relative]')) timestampTimer = setTimeout(redraw, 1_000);
}

/** Typing anywhere goes to the composer, as in Discord's client. */
document.addEventListener('keydown', (event) => {
  const nothingFocused =
    document.activeElement === document.body || document.activeElement?.classList.contains('messages');
  if (!nothingFocused || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  composer.moveCaret(composer.state.caret);
  document.getElementById('composer-text')?.focus();
});

/** Whom the visitor can be. Retried until the server answers: the page may be open before it runs. */
async function loadUsers(): Promise<PageUser[]> {
  for (;;) {
    try {
      const response = await fetch('/page/users', { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return response.json();
    } catch {
      // The server is not reachable yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

redraw();
const users = await loadUsers();
store.switchUser((users.find(({ id }) => id === preferences.userId()) ?? users[0])?.id ?? '');
