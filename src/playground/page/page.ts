import type { APIMessage } from 'discord-api-types/v10';
import { render } from 'lit';
import type { Person } from '../wire.ts';
import { createAccountPanel } from './account.ts';
import { createAnnouncer } from './announcer.ts';
import { createComposer } from './composer/composer.ts';
import { settleComposer } from './composer/line.ts';
import { type Drawer, layout, type Parts, welcome } from './layout.ts';
import { createLightbox } from './lightbox.ts';
import { memory } from './memory.ts';
import { createMessageList } from './messages.ts';
import { createModal } from './modal.ts';
import { show } from './names.ts';
import { createSession } from './session.ts';
import { restyleComponents } from './skyra.ts';

restyleComponents();

let drawn = false;
/** Draws once for all changes of one turn. */
function redraw(): void {
  if (drawn) return;
  drawn = true;
  queueMicrotask(() => {
    drawn = false;
    draw();
  });
}

const announcer = createAnnouncer();
const tell = (what: string) => (message: APIMessage) =>
  announcer.say(`${show(session.view, message.author).name}: ${message.content || what}`);
const session = createSession({
  redraw,
  back: () => composer.back(),
  arrived: tell('new message'),
  finished: tell('a picture has arrived'),
});
const composer = createComposer({ session, redraw });
const lightbox = createLightbox(redraw);

const messages = createMessageList({ session, openPhotos: lightbox.open, welcome: () => welcome(parts) });
const modal = createModal({ session, redraw });

const parts: Parts = {
  session,
  composer,
  lightbox,
  messages,
  modal,
  account: createAccountPanel({ view: session.view, redraw, announce: announcer.say }),
  drawer: null,
  experienced: memory.experienced(),
  setDrawer(drawer: Drawer) {
    parts.drawer = drawer;
    redraw();
  },
  become(personId) {
    memory.keepPerson(personId);
    composer.clear();
    session.become(personId);
  },
  begin: composer.beginCommand,
};

function draw(): void {
  if (session.view.attempts.length > 0) messages.stayAtTheEnd();
  if (session.view.attempts.length > 0 && !parts.experienced) {
    parts.experienced = true;
    memory.keepExperienced();
  }
  render(layout(parts), document.body);
  messages.settle();
  modal.settle();
  settleComposer(composer);
  keepTime();
}

let tick: ReturnType<typeof setTimeout> | undefined;
/** Relative times move on by themselves while there are any. */
function keepTime(): void {
  clearTimeout(tick);
  if (document.querySelector('time[data-moving]')) tick = setTimeout(redraw, 1_000);
}

/** Typing anywhere is meant for the composer, as in Discord's client. */
document.addEventListener('keydown', (event) => {
  const elsewhere =
    document.activeElement === document.body || document.activeElement?.classList.contains('messages');
  if (!elsewhere || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  composer.goTo(composer.state.place);
  document.getElementById('composer-text')?.focus();
});

/** Whom one can be. Asks again until the playground answers: the page may have been opened before it. */
async function whoIsThere(): Promise<Person[]> {
  for (;;) {
    try {
      const answer = await fetch('/page/people', { signal: AbortSignal.timeout(5_000) });
      if (answer.ok) return answer.json();
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

redraw();
const people = await whoIsThere();
session.become((people.find(({ id }) => id === memory.person()) ?? people[0])?.id ?? '');
