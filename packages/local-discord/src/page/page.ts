import { render } from 'lit';
import type { PageUser } from '../page-server/protocol.ts';
import { createAnnouncements } from './announcements.ts';
import { createComposer } from './composer/composer.ts';
import { afterComposerRender } from './composer/composer-view.ts';
import { type Drawer, type LayoutProps, layout } from './layout.ts';
import { createLightbox } from './lightbox.ts';
import { createMessageList } from './message-list.ts';
import { createMessageMenu } from './message-menu.ts';
import { createModal } from './modal.ts';
import { createPanel } from './panel.ts';
import { preferences } from './preferences.ts';
import { restyleComponents } from './restyle-components.ts';
import { createStore } from './store.ts';
import { tab } from './tab.ts';
import { styledTime } from './timestamps.ts';
import { createUserSettings } from './user-settings.ts';
import { emptyView } from './view.ts';
import { welcome } from './welcome.ts';

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

const view = emptyView();
const announcements = createAnnouncements(view);
const store = createStore({
  view,
  redraw,
  onOnline(online) {
    const { on, lost } = view.words.connection;
    announcements.announce(online ? on : lost);
    if (online) composer.cameOnline();
  },
  onOpenChannel: () => composer.enterChannel(),
  onMessage: announcements.created,
  onEdit: announcements.updated,
  onCall: announcements.called,
});
const composer = createComposer({ store, redraw });
const lightbox = createLightbox({ view, redraw });

const menu = createMessageMenu({ store, redraw });
const messages = createMessageList({
  store,
  openPhotos: lightbox.open,
  welcome: () => welcome(view, composer),
  menu,
  redraw,
});
const panel = createPanel({ view, redraw, announce: announcements.announce });
const modal = createModal({ store, redraw, renderAid: panel.renderFolded });

const props: LayoutProps = {
  store,
  composer,
  lightbox,
  messages,
  modal,
  menu,
  panel,
  settings: createUserSettings({ store, redraw }),
  drawer: null,
  hasUsedCommand: preferences.hasUsedCommand(),
  setDrawer(drawer: Drawer) {
    props.drawer = drawer;
    redraw();
  },
  switchUser(userId) {
    const user = users.find(({ id }) => id === userId);
    if (user) tab.saveUser(user, users);
    panel.clear();
    store.switchUser(userId);
  },
  startCommand: (path) => composer.pasteLine(`/${path}`),
};

function renderPage(): void {
  const { snapshot, pendingCommands, unread } = view;
  document.documentElement.lang = view.locale;
  const calls = [...unread.values()].reduce((sum, count) => sum + count, 0);
  if (snapshot) document.title = calls > 0 ? `(${calls}) ${snapshot.title}` : snapshot.title;
  if (pendingCommands.length > 0) messages.pinToEnd();
  if (pendingCommands.length > 0 && !props.hasUsedCommand) {
    props.hasUsedCommand = true;
    preferences.saveHasUsedCommand();
  }
  render(layout(props), document.body);
  messages.afterRender();
  modal.afterRender();
  menu.afterRender();
  afterComposerRender(composer);
  moveTimestamps();
}

let timestampTimer: ReturnType<typeof setTimeout> | undefined;
/** Says relative times anew every second while there are any; nothing else moves with them. */
function moveTimestamps(): void {
  clearTimeout(timestampTimer);
  const times = document.querySelectorAll<HTMLTimeElement>('time[data-relative]');
  for (const time of times) {
    const words = styledTime(view.locale, new Date(time.dateTime), 'R');
    if (time.textContent !== words) time.textContent = words;
  }
  if (times.length > 0) timestampTimer = setTimeout(moveTimestamps, 1_000);
}

/** What characters mean something to themselves. */
const TAKES_CHARACTERS =
  'input:not([type=radio], [type=checkbox], [type=file]), textarea, select, dialog, [popover]';

/** Typing anywhere goes to the composer, as in Discord's client. A space presses the button that has the focus. */
document.addEventListener('keydown', (event) => {
  const { activeElement } = document;
  const elsewhere =
    event.defaultPrevented ||
    activeElement?.closest(TAKES_CHARACTERS) ||
    (event.key === ' ' && activeElement?.closest('button, a, [role=button], summary, input'));
  if (elsewhere || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  composer.moveCaret(composer.state.caret);
  document.getElementById('composer-text')?.focus();
});

/** Files that are pasted or dropped anywhere go into the form that is open, or to the composer. */
function takeFiles(event: Event, data: DataTransfer | null): void {
  const files = [...(data?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  if (view.modal) modal.takeFiles(files, event.target);
  else composer.files.take(files);
}

/** Office programs copy a picture of their text along with it. A picture that is copied has no plain text. */
const isFormattedText = (data: DataTransfer | null): boolean =>
  ['text/plain', 'text/html'].every((type) => data?.types.includes(type));

document.addEventListener('paste', (event) => {
  if (!isFormattedText(event.clipboardData)) takeFiles(event, event.clipboardData);
});
document.addEventListener('drop', (event) => takeFiles(event, event.dataTransfer));
document.addEventListener('dragover', (event) => {
  // What is not refused here is dropped; text still goes where the browser puts it.
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
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
store.switchUser(tab.user(users)?.id ?? '');
