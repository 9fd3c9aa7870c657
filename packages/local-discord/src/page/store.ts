import type { APIMessage } from 'discord-api-types/v10';
import type { PageEvent, Snapshot } from '../page-server/protocol.ts';
import { after, channelOf, type MessageEvent } from './channel-messages.ts';
import { channelTree, firstOpen } from './channel-tree.ts';
import { createConnection, RequestError } from './connection.ts';
import { createInteractions } from './interactions.ts';
import { channelIn, guildOf } from './selectors.ts';
import { tab } from './tab.ts';
import { callsUser, createUnread } from './unread.ts';
import type { View } from './view.ts';

export type Store = ReturnType<typeof createStore>;

/** With more messages than this, a tab that is open for days keeps fewer of them. */
const MOST_MESSAGES = 200;
const KEPT_MESSAGES = 100;

/** What could not be fetched is not there; the page goes on. */
function nothing(error: unknown): null {
  if (error instanceof RequestError) return null;
  throw error;
}

/**
 * Holds the view, and changes it by the server's events and the user's actions. `redraw` is called after every
 * change.
 */
export function createStore(options: {
  view: View;
  redraw(): void;
  onOnline(online: boolean): void;
  onOpenChannel(): void;
  /** A message came into the open channel. */
  onMessage(message: APIMessage): void;
  onEdit(before: APIMessage, message: APIMessage): void;
  /** A message in another channel calls the user. */
  onCall(message: APIMessage): void;
}) {
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
  const interactions = createInteractions({ view, connection, redraw });
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

  /** What came while messages were fetched, for each fetch: their answer may be older. */
  const meanwhile = new Set<MessageEvent[]>();

  /** The newest messages of a channel or those before one, and what came of them meanwhile. */
  async function fetchMessages(channelId: string, before?: string) {
    const came: MessageEvent[] = [];
    meanwhile.add(came);
    const fetched = await connection.channel(channelId, before).catch(nothing);
    meanwhile.delete(came);
    if (!fetched) return null;
    return {
      ...fetched,
      messages: came
        .filter((event) => channelOf(event) === channelId && !(before && event.type === 'message-created'))
        .reduce(after, fetched.messages),
    };
  }

  let loads = 0;

  async function loadChannel(): Promise<void> {
    const channel = view.channel;
    if (!channel) return;
    const load = ++loads;
    const fetched = await fetchMessages(channel.id);
    // After a lost connection an earlier answer may come later, without what came since.
    if (view.channel !== channel || load !== loads) return;
    Object.assign(channel, fetched, { loaded: true });
    interactions.endAnswered();
    readOpen();
    redraw();
  }

  async function loadCommands(): Promise<void> {
    const { channel } = view;
    const fetched = channel && (await connection.channel(channel.id).catch(nothing));
    if (!fetched) return;
    channel.commands = fetched.commands;
    redraw();
  }

  /** Resolves when its messages are loaded. */
  function openChannel(guildId: string | null, channelId: string): Promise<void> {
    view.guildId = guildId;
    view.channel = {
      id: channelId,
      loaded: false,
      messages: [],
      more: false,
      loadingOlder: false,
      commands: [],
    };
    view.pendingCommands = [];
    options.onOpenChannel();
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

  const isOpenThere = () =>
    view.channel !== null && channelIn(view, view.guildId, view.channel.id) !== undefined;

  /** Of the open server, or where that is gone, of the first one. */
  const openFirst = () => openGuild(guildOf(view)?.id ?? view.guilds[0]?.id ?? null);

  function applySnapshot(snapshot: Snapshot): void {
    const sameUser = view.snapshot?.userId === snapshot.userId;
    Object.assign(view, {
      snapshot,
      guilds: snapshot.guilds,
      directMessages: snapshot.directMessages,
      bots: snapshot.bots,
      panel: sameUser ? view.panel : null,
      locale: snapshot.locale,
      ...(!sameUser && { pendingComponents: new Map(), failures: new Map() }),
      // What was typed into a form outlives a lost connection.
      modal: (sameUser && view.modal) || snapshot.openModal,
    });
    unread.catchUp();
    if (sameUser && isOpenThere()) {
      void loadChannel();
      return;
    }
    const target =
      tab.channel(snapshot.userId) ?? (view.channel && { guildId: view.guildId, channelId: view.channel.id });
    if (target && channelIn(view, target.guildId, target.channelId))
      void openChannel(target.guildId, target.channelId);
    else openFirst();
  }

  function upsertMessage(event: Exclude<MessageEvent, { type: 'message-deleted' }>): void {
    const { channel } = view;
    const { message } = event;
    const isNew = event.type === 'message-created';
    const isOpen = channel?.id === message.channel_id;
    if (isNew && !(isOpen && document.visibilityState === 'visible')) unread.add(message);
    if (!isOpen) {
      if (isNew && callsUser(view, message)) options.onCall(message);
      return;
    }
    const before = channel.messages.find(({ id }) => id === message.id);
    channel.messages = after(channel.messages, event);
    interactions.endAnswered();
    readOpen();
    view.failures.delete(message.id);
    if (before) options.onEdit(before, message);
    else if (isNew) options.onMessage(message);
  }

  function apply(event: PageEvent): void {
    switch (event.type) {
      case 'snapshot':
        applySnapshot(event);
        break;
      case 'channels':
        view.guilds = event.guilds;
        view.directMessages = event.directMessages;
        unread.forgetGone();
        if (!isOpenThere()) openFirst();
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
        for (const came of meanwhile) came.push(event);
        upsertMessage(event);
        break;
      case 'message-deleted':
        for (const came of meanwhile) came.push(event);
        if (view.channel?.id === event.channelId) view.channel.messages = after(view.channel.messages, event);
        break;
      case 'commands-changed':
        void loadCommands();
        break;
      case 'locale-changed':
        view.locale = event.locale;
        void loadCommands();
        break;
      case 'interaction-sent':
        interactions.sent(event);
        break;
    }
  }

  return {
    view,
    openGuild,
    openChannel,
    switchUser: connection.connect,
    retry: connection.retry,
    runAction: connection.runAction,
    ...interactions,

    /** Whether there may have been any. */
    async loadOlder(): Promise<boolean> {
      const { channel } = view;
      const oldest = channel?.messages[0];
      if (!channel?.more || channel.loadingOlder || !oldest) return false;
      channel.loadingOlder = true;
      const older = await fetchMessages(channel.id, oldest.id);
      channel.loadingOlder = false;
      if (!older) return false;
      // Where the messages were loaded anew meanwhile, these may not stand right before them.
      if (channel.messages[0]?.id === oldest.id)
        Object.assign(channel, { messages: [...older.messages, ...channel.messages], more: older.more });
      redraw();
      return true;
    },

    /** Lets go of old messages, where there are many. Who reads back has them loaded again. */
    forgetOld(): void {
      const { channel } = view;
      if (!channel || channel.loadingOlder || channel.messages.length <= MOST_MESSAGES) return;
      Object.assign(channel, { messages: channel.messages.slice(-KEPT_MESSAGES), more: true });
      redraw();
    },

    closeModal(): void {
      view.modal = null;
      tab.saveModal(null);
      redraw();
    },
  };
}
