import type { APIMessage } from 'discord-api-types/v10';
import type { Action, ActionReply, Hello, PageEvent } from '../wire.ts';
import { createConnection, Refused } from './connection.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { channelIn } from './names.ts';
import { emptyView, type View } from './view.ts';

export interface Session extends Interactions {
  readonly view: View;
  become(personId: string): void;
  openGuild(guildId: string | null): void;
  /** Resolves when its messages are there. */
  openChannel(guildId: string | null, channelId: string): Promise<void>;
  loadOlder(): Promise<void>;
  act<Name extends Action['do']>(action: Extract<Action, { do: Name }>): Promise<ActionReply[Name]>;
  closeModal(): void;
}

const PAGE_OF_MESSAGES = 50;

/**
 * Follows the playground as one person. `redraw` is called after every change of `view`; `arrived` for each new message;
 * `back` where the playground answers again.
 */
export function createSession(options: {
  redraw(): void;
  back(): void;
  arrived(message: APIMessage): void;
  finished(message: APIMessage): void;
}): Session {
  const { redraw } = options;
  const places = new Map<string, { guildId: string | null; channelId: string }>();
  const view = emptyView();

  const connection = createConnection({
    onEvent: (event) => {
      apply(event);
      redraw();
    },
    onOnline: (online) => {
      if (view.online === online) return;
      view.online = online;
      if (online) options.back();
      redraw();
    },
  });

  async function loadChannel(): Promise<void> {
    const channel = view.channel;
    if (!channel) return;
    const { messages, commands } = await connection.channel(channel.id).catch((error: unknown) => {
      if (error instanceof Refused) return { messages: channel.messages, commands: channel.commands };
      throw error;
    });
    if (view.channel !== channel) return;
    Object.assign(channel, { loaded: true, messages, commands, more: messages.length >= PAGE_OF_MESSAGES });
    redraw();
  }

  function openChannel(guildId: string | null, channelId: string): Promise<void> {
    view.guildId = guildId;
    view.channel = { id: channelId, loaded: false, messages: [], more: false, commands: [] };
    view.attempts = [];
    view.unread.delete(channelId);
    if (view.hello) places.set(view.hello.personId, { guildId, channelId });
    redraw();
    return loadChannel();
  }

  function openGuild(guildId: string | null): void {
    const channels = guildId ? view.guilds.find(({ id }) => id === guildId)?.channels : view.directMessages;
    const first = channels?.[0];
    if (first) void openChannel(guildId, first.id);
  }

  function greet(hello: Hello): void {
    const samePerson = view.hello?.personId === hello.personId;
    Object.assign(view, {
      hello,
      guilds: hello.guilds,
      directMessages: hello.directMessages,
      bots: hello.bots,
      account: hello.account,
      modal: hello.openModal,
    });
    if (samePerson && view.channel) {
      void loadChannel();
      return;
    }
    view.unread.clear();
    const place =
      places.get(hello.personId) ?? (view.channel && { guildId: view.guildId, channelId: view.channel.id });
    if (place && channelIn(view, place.guildId, place.channelId))
      void openChannel(place.guildId, place.channelId);
    else openGuild(hello.guilds[0]?.id ?? null);
  }

  function putMessage(message: APIMessage, isNew: boolean): void {
    const { channel } = view;
    if (channel?.id !== message.channel_id) {
      if (isNew) view.unread.add(message.channel_id);
      return;
    }
    const known = channel.messages.findIndex(({ id }) => id === message.id);
    const before = channel.messages[known];
    channel.messages = before
      ? channel.messages.with(known, message)
      : [...channel.messages, message].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    view.failures.delete(message.id);
    if (!before) options.arrived(message);
    else if (before.attachments.length < message.attachments.length) options.finished(message);
  }

  function apply(event: PageEvent): void {
    switch (event.type) {
      case 'hello':
        greet(event);
        break;
      case 'surroundings':
        view.guilds = event.guilds;
        view.directMessages = event.directMessages;
        break;
      case 'bots':
        view.bots = event.bots;
        break;
      case 'account':
        view.account = event.account;
        break;
      case 'message-created':
      case 'message-updated':
        putMessage(event.message, event.type === 'message-created');
        break;
      case 'message-deleted':
        if (view.channel?.id === event.channelId) {
          view.channel.messages = view.channel.messages.filter(({ id }) => id !== event.messageId);
        }
        break;
      case 'commands-changed':
        void loadChannel();
        break;
      case 'modal-opened':
        view.modal = { interactionId: event.interactionId, channelId: event.channelId, modal: event.modal };
        break;
      case 'interaction-sent':
      case 'interaction-answered':
      case 'interaction-failed':
      case 'guilds-changed':
        // The one who acted hears it from the action's own answer; the server follows `guilds-changed` with `surroundings`.
        break;
    }
  }

  return {
    view,
    openGuild,
    openChannel,
    become: (personId) => connection.become(personId),
    act: (action) => connection.act(action),
    ...createInteractions({ view, connection, redraw }),

    async loadOlder() {
      const { channel } = view;
      const oldest = channel?.messages[0];
      if (!channel?.more || !oldest) return;
      channel.more = false;
      const older = await connection.channel(channel.id, oldest.id);
      channel.messages = [...older.messages, ...channel.messages];
      channel.more = older.messages.length >= PAGE_OF_MESSAGES;
      redraw();
    },

    closeModal() {
      view.modal = null;
      redraw();
    },
  };
}
