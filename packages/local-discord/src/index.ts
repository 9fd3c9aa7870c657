export type { WorldDescription } from './describe-world.ts';
export type { Address, Route } from './local-discord.ts';
export type { PageOptions } from './page-server/page-source.ts';
export type { Panel, PanelRow } from './page-server/protocol.ts';
export type { UnsupportedRequest } from './rest/unsupported.ts';
export { type LocalDiscord, type StartOptions, startDiscord } from './start.ts';
export { createdAt } from './state/snowflakes.ts';
export type {
  InteractionResult,
  OptionValue,
  OptionValues,
  UserClientEvent,
} from './user-client/shapes.ts';
export type { UserClient } from './user-client/user-client.ts';
export { UserClientError } from './user-client/user-client-error.ts';
export type { World } from './world.ts';
