import { createDeferred, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { withTimeout } from '@darkroom/time';
import { ComponentType } from 'discord.js';
import type { InteractionResult, UserClient } from 'local-discord';
import type { Command } from '../../src/bot/command.ts';
import { button, rowsOf } from '../../src/messages/buttons.ts';
import { type Entries, filledIn, givenTo, kindOf, leavesOf, type Offer, offersOf } from './uses.ts';

/** Characters for which suggestions are asked. */
const SUGGESTED_FOR = 100;

/** One thing that a person does with the bot. */
export interface Use {
  /** `/graph save`, `Imagine this`, `button imagine:again`, `menu settings:pick`, `form jobs:search`. */
  name: string;
  person: UserClient;
  /** The message that it is done to. */
  messageId?: string | undefined;
}

interface WalkOptions {
  commands: readonly Command[];
  /** Whoever comes first uses what both see. */
  people: readonly [UserClient, ...UserClient[]];
  /** Where the commands are run, and where else the bot writes. */
  channelIds: readonly [string, ...string[]];
  /** Whose menus are used. */
  messageIds: readonly string[];
  /** A job of the first of them, for the buttons that no answer on the way has. */
  jobId: string;
  entries: Entries;
  /** Posts a message of the bot with these components in the first channel, and says its id. */
  post(components: readonly object[]): Promise<string>;
  /** Does it; `interact` resolves once its person sees something of the answer. */
  use(use: Use, interact: () => Promise<InteractionResult>): Promise<InteractionResult>;
  /** Resolves once nothing more appears by itself. */
  settled(): Promise<void>;
}

/**
 * Runs every command, without and with all of its options, then presses every button, picks everything in every menu,
 * and sends every form that is offered by what the bot has answered, until there is nothing new. What is red comes
 * last.
 */
export async function walk(options: WalkOptions): Promise<void> {
  const { commands, people, channelIds, messageIds, entries, post, use, settled } = options;
  const [channelId] = channelIds;
  const views = people.map((person) => watch(person, channelIds));

  async function answered(what: Use, interact: () => Promise<InteractionResult>): Promise<void> {
    const answer = await use(what, () => untilSeen(what, interact));
    if (answer.kind !== 'modal') return;
    const { person } = what;
    const { interactionId, modal } = answer;
    const form = { ...what, name: `form ${kindOf(modal.custom_id)}` };
    const submit = () => person.submitModal(interactionId, filledIn(modal, entries));
    await use(form, () => untilSeen(form, submit));
  }

  for (const person of people) {
    // Who may not use a command is not offered it.
    const listed = new Set(person.commands(channelId).map(({ name }) => name));
    const theirs = commands.filter(({ data }) => listed.has(data.name));
    for (const { path, options: offered } of theirs.flatMap(({ data }) => leavesOf(data))) {
      const all = offered.map((option) => [option, givenTo(option, entries)] as const);
      const required = all.filter(([option]) => option.required);
      const image = all.filter(([{ name }]) => name === 'image' || name === 'strength');
      // A picture and a graph do not go together.
      const others = all.filter((one) => !image.includes(one));
      for (const given of [required, others, ...(image.length > 0 ? [[...required, ...image]] : [])]) {
        const values = Object.fromEntries(given.map(([{ name }, value]) => [name, value]));
        await answered({ name: `/${path}`, person }, () => person.invoke(channelId, path, values));
      }
      for (const { name } of offered.filter(({ autocomplete }) => autocomplete)) {
        const words = entries.type(name, SUGGESTED_FOR);
        await person.autocomplete(channelId, path, { [name]: words }, name);
      }
    }
    for (const { data } of commands.flatMap(({ messageCommands = [] }) => messageCommands)) {
      for (const messageId of messageIds) {
        await answered({ name: data.name, person, messageId }, () =>
          person.invokeOn(channelId, data.name, messageId),
        );
      }
    }
  }

  const seen = new Set<string>();
  const offers: Found[] = [];
  const add = (offer: Omit<Found, 'key'>) => {
    const key = keyOf(offer);
    const isDraft = kindOf(offer.customId) === 'imagine:draft';
    if (!seen.has(key)) offers.push({ ...offer, key });
    else if (isDraft) {
      // Of a member's drafts the latest are kept, until something has become of them.
      const waiting = offers.findIndex((other) => other.key === key);
      if (waiting !== -1) offers[waiting] = { ...offer, key };
    }
    seen.add(key);
  };
  const look = () => {
    for (const { person, changed } of views) {
      for (const messageId of changed) {
        const message = person.message(messageId);
        if (message?.author.bot && channelIds.includes(message.channel_id))
          for (const offer of offersOf(message.components, entries)) add({ ...offer, person, messageId });
      }
      changed.clear();
    }
  };
  const followAll = async (which: (offer: Offer) => boolean): Promise<void> => {
    for (;;) {
      await settled();
      look();
      if (!offers.some(which)) return;
      for (let next = offers.find(which); next; next = offers.find(which)) {
        offers.splice(offers.indexOf(next), 1);
        await follow(next);
        look();
      }
    }
  };
  await followAll(({ isRed }) => !isRed);
  await post(rowsOf(...rareButtons(options.jobId)));
  await followAll(({ isRed }) => !isRed);
  await followAll(() => true);
  for (const { stop } of views) stop();

  /** What is gone from its message by now stands in another one. */
  async function follow({ component, customId, person, values, ...offer }: Found): Promise<void> {
    const shown = person.message(offer.messageId);
    const isThere = shown && offersOf(shown.components, entries).some((one) => one.customId === customId);
    const messageId = isThere
      ? shown.id
      : await post([{ type: ComponentType.ActionRow, components: [component] }]);
    const name = `${values ? 'menu' : 'button'} ${kindOf(customId)}`;
    await answered({ name, person, messageId }, () =>
      values ? person.select(messageId, customId, values) : person.press(messageId, customId),
    );
  }
}

/** The messages that a person has not looked at since they last changed; at first all of these channels. */
function watch(person: UserClient, channelIds: readonly string[]) {
  const changed = new Set(
    channelIds.flatMap((id) => person.messages(id, { limit: 500 }).map((message) => message.id)),
  );
  const stop = person.subscribe((event) => {
    if (event.type === 'message-created' || event.type === 'message-updated') changed.add(event.message.id);
  });
  return { person, changed, stop };
}

/** What is answered; where that shows nothing yet, once the message changes, or something replies to it. */
async function untilSeen(
  { name, person, messageId }: Use,
  interact: () => Promise<InteractionResult>,
): Promise<InteractionResult> {
  const changed = createDeferred<void>();
  const stop = person.subscribe((event) => {
    const isChange =
      event.type === 'message-created'
        ? event.message.message_reference?.message_id === messageId
        : event.type === 'message-updated'
          ? event.message.id === messageId
          : event.type === 'message-deleted' && event.messageId === messageId;
    if (isChange) changed.resolve();
  });
  try {
    const answer = await interact();
    if (answer.kind === 'acknowledged')
      await withTimeout(WAIT_TIMEOUT_MS, () => changed.promise, { message: `nothing is seen after ${name}` });
    return answer;
  } finally {
    stop();
  }
}

/**
 * Buttons of a job that runs, waits, is long, can be reported or has several pictures, of a key that is not revoked
 * without its login, of own defaults, and of reports that wait.
 */
const rareButtons = (jobId: string) =>
  [
    `imagine:cancel:${BigInt(jobId).toString(36)}`,
    ...['imagine:prompt', 'imagine:report', 'imagine:show', 'jobs:stop'].map((kind) => `${kind}:${jobId}`),
    `imagine:only:${jobId}:0`,
    'apikey:token:all:1',
    'settings:reset',
    'settings:log:older:9',
    'moderate:reports',
  ].map((id) => button.secondary(id, id));

/** What somebody has seen, and under which message. */
interface Found extends Offer {
  person: UserClient;
  messageId: string;
  key: string;
}

/** What is offered under several messages, for several jobs, is used once. */
function keyOf({ customId, values = [] }: Offer): string {
  const parts = customId.split(':').slice(0, 3);
  return [...parts.map((part) => (/\d.*\d{4}/.test(part) ? '' : part)), ...values].join(':');
}
