import type { APIMessage } from 'discord-api-types/v10';
import { loosely, walk } from '../rules/components.ts';
import { isPhoto } from './attachments.ts';
import { channelName, displayUser } from './display.ts';
import { firstWords } from './first-words.ts';
import { isLoading } from './message-flags.ts';
import { channelById } from './selectors.ts';
import type { View } from './view.ts';

/**
 * Until screen readers know of a live region that was emptied or has come elsewhere; as in Angular's `LiveAnnouncer`:
 * https://github.com/angular/components/blob/main/src/cdk/a11y/live-announcer/live-announcer.ts
 */
const NOTICED_MS = 100;

/** An ARIA live region: reads one text at a time to a screen reader. */
function createLiveRegion() {
  const region = document.createElement('div');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.documentElement.append(region);

  return (text: string): void => {
    // What is outside a modal dialog is not read. Of two, the form is first, and above the picture.
    const place = document.querySelector('dialog:modal') ?? document.documentElement;
    if (region.parentElement !== place) place.append(region);
    // An unchanged text would not be read again.
    region.textContent = '';
    setTimeout(() => {
      region.textContent = text.slice(0, 200);
    }, NOTICED_MS);
  };
}

/** What can be done with a message. It changes when something is finished, not while it goes on. */
function controlsOf({ components = [] }: APIMessage): string {
  const all = [...walk(loosely(components), [])].map(({ component }) => component);
  return JSON.stringify(all.filter((one) => one.custom_id).map(({ label, type }) => label ?? type));
}

/** Bots name a picture so that is to be exchanged for a better one. */
const isPreview = (name: string) => /^(SPOILER_)?preview/i.test(name);

/** Says what happened in the open channel: what is new, and what is finished; not each step on the way. */
export function createAnnouncements(view: View) {
  const announce = createLiveRegion();

  function summary(message: APIMessage): string {
    const pictures = message.attachments.filter((one) => isPhoto(one) && !isPreview(one.filename)).length;
    if (pictures > 0 && message.author.bot) return view.words.announced.pictures(pictures);
    const words = view.words.announced;
    return firstWords(view, message) || (message.attachments.length > 0 ? words.file : words.message);
  }

  const say = (message: APIMessage) =>
    announce(
      isLoading(message)
        ? view.words.messages.thinking(displayUser(view, message.author).name)
        : `${displayUser(view, message.author).name}: ${summary(message)}`,
    );

  return {
    announce,

    created(message: APIMessage): void {
      if (message.author.id !== view.snapshot?.userId) say(message);
    },

    updated(before: APIMessage, message: APIMessage): void {
      if (isLoading(before) || controlsOf(before) !== controlsOf(message)) say(message);
    },

    /** In another channel than the open one. */
    called(message: APIMessage): void {
      const { announced } = view.words;
      const channel = channelById(view, message.channel_id);
      const where =
        channel && 'recipients' in channel
          ? announced.direct
          : `#${channel ? channelName(view, channel) : ''}`;
      announce(announced.mentioned(displayUser(view, message.author).name, where));
    },
  };
}
