import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import type { Bot, Panel, Snapshot } from '../page-server/protocol.ts';
import type { OpenModal, VisibleCommand, VisibleGuild } from '../user-client/shapes.ts';
import type { Words } from './words/en.ts';
import { wordsIn } from './words/words.ts';

/** A command that was sent and has no answer yet, or never will have one. */
export interface PendingCommand {
  nonce: string;
  /** Known when it was sent. */
  interactionId: string | null;
  /** As it is shown: `/ping`, or the name of a command for messages. */
  command: string;
  applicationId: string;
  at: Date;
  /** What Discord's client says when there was no answer. */
  failure: string | null;
}

export interface OpenChannel {
  id: string;
  loaded: boolean;
  messages: APIMessage[];
  /** There are older ones. */
  more: boolean;
  loadingOlder: boolean;
  commands: VisibleCommand[];
}

/** What the page shows at this moment. */
export interface View {
  online: boolean;
  /** `null` until the first `snapshot`. */
  snapshot: Snapshot | null;
  /** Of the user: dates and times are written in it. */
  locale: string;
  /** The page's own, in that language. */
  readonly words: Words;
  guilds: VisibleGuild[];
  directMessages: APIChannel[];
  bots: Bot[];
  panel: Panel | null;
  guildId: string | null;
  channel: OpenChannel | null;
  pendingCommands: PendingCommand[];
  /** Custom id of the component that waits for an answer, by message id. */
  pendingComponents: Map<string, string>;
  /** 'This interaction failed', by message id. */
  failures: Map<string, string>;
  /** By channel with messages that were not seen: how many of them call the user. */
  unread: Map<string, number>;
  modal: OpenModal | null;
}

export const emptyView = (): View => ({
  online: false,
  snapshot: null,
  locale: navigator.language,
  get words() {
    return wordsIn(this.locale);
  },
  guilds: [],
  directMessages: [],
  bots: [],
  panel: null,
  guildId: null,
  channel: null,
  pendingCommands: [],
  pendingComponents: new Map(),
  failures: new Map(),
  unread: new Map(),
  modal: null,
});
