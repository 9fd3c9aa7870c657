import type { APIMessage } from 'discord-api-types/v10';
import type { Action, ActionResult, PageEvent, Snapshot } from '../page-server/protocol.ts';
import { channelTree, firstOpen } from './channel-tree.ts';
import { createConnection, RequestError } from './connection.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { channelIn } from './selectors.ts';
import { tab } from './tab.ts';
import { callsUser, createUnread } from './unread.ts';
import type { View } from './view.ts';

export interface Store extends Interactions {
  readonly view: View;
  switchUser(userId: string): void;
  /** Does not wait for the next attempt to reach the server. */
  retry(): void;
  openGuild(guildId: string | null): void;
  /** Resolves when its messages are loaded. */
  openChannel(guildId: string | null, channelId: string): Promise<void>;
  loadOlder(): Promise<void>;
  runAction<Name extends Action['do']>(action: Extract<Action, { do: Name }>): Promise<ActionResult[Name]>;
  closeModal(): void;
}

const MESSAGES_PER_PAGE = 50;

/**
 * Holds the view, and changes it by the server's events and the user's actions. `redraw` is called after every
 * change.
 */
export function createStore(options: {
  view: View;
  redraw(): void;
  onOnline(online: boolean): void;
  /** A message came into the open channel. */
  onMessage(message: APIMessage): void;
  onEdit(before: APIMessage, message: APIMessage): void;
  /** A message in another channel calls the user. */
  onCall(message: APIMessage): void;
}): Store {
  const { view, redraw } = options;

  const connection = createConnection({
    onEvent: (event) => {
      apply(event);
      redraw();
    },
    onOnline: (online) => {
      if (view.online === online) return;
      view.online = online;
      options.onOnline(online);
      redraw();
    },
    openModal: tab.modal,
    words: () => view.words,
    locale: () => view.locale,
  });
  const unread = createUnread({
    view,
    newest: async (channelId) => (await connection.channel(channelId)).messages,
    redraw,
  });

  /** The user has the open channel before them up to its last message; not while the tab is hidden. */
  function readOpen(): void {
    const { channel } = view;
    if (channel && document.visibilityState === 'visible')
      unread.read(channel.id, channel.messages.at(-1)?.id);
  }
  document.addEventListener('visibilitychange', () => {
    readOpen();
    redraw();
  });

  async function loadChannel(): Promise<void> {
    const channel = view.channel;
    if (!channel) return;
    const { messages, commands } = await connection.channel(channel.id).catch((error: unknown) => {
      if (error instanceof RequestError) return { messages: channel.messages, commands: channel.commands };
      throw error;
    });
    if (view.channel !== channel) return;
    Object.assign(channel, { loaded: true, messages, commands, more: messages.length >= MESSAGES_PER_PAGE });
    readOpen();
    redraw();
  }

  function openChannel(guildId: string | null, channelId: string): Promise<void> {
    view.guildId = guildId;
    view.channel = { id: channelId, loaded: false, messages: [], more: false, commands: [] };
    view.pendingCommands = [];
    readOpen();
    if (view.snapshot) tab.saveChannel(view.snapshot.userId, guildId, channelId);
    redraw();
    return loadChannel();
  }

  function openGuild(guildId: string | null): void {
    const channels = guildId ? view.guilds.find(({ id }) => id === guildId)?.channels : view.directMessages;
    const first = firstOpen(channelTree(channels ?? []));
    if (first) void openChannel(guildId, first.id);
  }

  function applySnapshot(snapshot: Snapshot): void {
    const sameUser = view.snapshot?.userId === snapshot.userId;
    Object.assign(view, {
      snapshot,
      guilds: snapshot.guilds,
      directMessages: snapshot.directMessages,
      bots: snapshot.bots,
      panel: snapshot.panel,
      locale: snapshot.locale,
      // What was typed into a form outlives a lost connection.
      modal: (sameUser && view.modal) || snapshot.openModal,
    });
    unread.catchUp();
    if (sameUser && view.channel) {
      void loadChannel();
      return;
    }
    const target =
      tab.channel(snapshot.userId) ?? (view.channel && { guildId: view.guildId, channelId: view.channel.id });
    if (target && channelIn(view, target.guildId, target.channelId))
      void openChannel(target.guildId, target.channelId);
    else openGuild(snapshot.guilds[0]?.id ?? null);
  }

  function upsertMessage(message: APIMessage, isNew: boolean): void {
    const { channel } = view;
    const isOpen = channel?.id === message.channel_id;
    if (isNew && !(isOpen && document.visibilityState === 'visible')) unread.add(message);
    if (!isOpen) {
      if (isNew && callsUser(view, message)) options.onCall(message);
      return;
    }
    const index = channel.messages.findIndex(({ id }) => id === message.id);
    const before = channel.messages[index];
    channel.messages = before
      ? channel.messages.with(index, message)
      : [...channel.messages, message].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    readOpen();
    view.failures.delete(message.id);
    if (!before) options.onMessage(message);
    else options.onEdit(before, message);
  }

  function apply(event: PageEvent): void {
    switch (event.type) {
      case 'snapshot':
        applySnapshot(event);
        break;
      case 'channels':
        view.guilds = event.guilds;
        view.directMessages = event.directMessages;
        break;
      case 'bots':
        view.bots = event.bots;
        break;
      case 'panel':
        view.panel = event.panel;
        break;
      case 'host-words': {
        const { notice, examples, users } = event;
        if (view.snapshot) view.snapshot = { ...view.snapshot, notice, examples, users };
        break;
      }
      case 'message-created':
      case 'message-updated':
        upsertMessage(event.message, event.type === 'message-created');
        break;
      case 'message-deleted':
        if (view.channel?.id === event.channelId) {
          view.channel.messages = view.channel.messages.filter(({ id }) => id !== event.messageId);
        }
        break;
      case 'commands-changed':
        void loadChannel();
        break;
      case 'locale-changed':
        view.locale = event.locale;
        void loadChannel();
        break;
      case 'modal-opened':
      case 'interaction-sent':
      case 'interaction-answered':
      case 'interaction-failed':
      case 'guilds-changed':
        // The response to the action says it, in the tab that asked; `channels` comes with `guilds-changed`.
        break;
    }
  }

  return {
    view,
    openGuild,
    openChannel,
    switchUser: (userId) => connection.connect(userId),
    retry: connection.retry,
    runAction: (action) => connection.runAction(action),
    ...createInteractions({ view, connection, redraw }),

    async loadOlder() {
      const { channel } = view;
      const oldest = channel?.messages[0];
      if (!channel?.more || !oldest) return;
      channel.more = false;
      const older = await connection.channel(channel.id, oldest.id);
      channel.messages = [...older.messages, ...channel.messages];
      channel.more = older.messages.length >= MESSAGES_PER_PAGE;
      redraw();
    },

    closeModal() {
      view.modal = null;
      tab.saveModal(null);
      redraw();
    },
  };
}
