import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import type { VisibleCommand, VisibleGuild } from '../../local-discord/hand/hand.ts';
import type { Bot, Hello, OpenModal, ServiceAccount } from '../wire.ts';

/** A command that was sent and has no answer yet, or never will have one. */
export interface Attempt {
  id: number;
  command: string;
  botId: string;
  at: Date;
  /** What Discord's client says when there was no answer. */
  failure: string | null;
}

export interface OpenChannel {
  id: string;
  loaded: boolean;
  messages: APIMessage[];
  /** Older ones may exist. */
  more: boolean;
  commands: VisibleCommand[];
}

/** What the chosen person sees at this moment. */
export interface View {
  online: boolean;
  /** `null` until the first `hello`. */
  hello: Hello | null;
  guilds: VisibleGuild[];
  directMessages: APIChannel[];
  bots: Bot[];
  account: ServiceAccount | null;
  guildId: string | null;
  channel: OpenChannel | null;
  attempts: Attempt[];
  /** Components of this message were pressed and have no answer yet, by message id. */
  pressed: Map<string, string>;
  /** 'This interaction failed', by message id. */
  failures: Map<string, string>;
  unread: Set<string>;
  modal: OpenModal | null;
}

export const emptyView = (): View => ({
  online: false,
  hello: null,
  guilds: [],
  directMessages: [],
  bots: [],
  account: null,
  guildId: null,
  channel: null,
  attempts: [],
  pressed: new Map(),
  failures: new Map(),
  unread: new Set(),
  modal: null,
});
