import { type APIMessage, MessageFlags } from 'discord-api-types/v10';

const hasFlag = ({ flags }: APIMessage, flag: MessageFlags) => ((flags ?? 0) & flag) !== 0;

/** Only its reader sees it. */
export const isEphemeral = (message: APIMessage): boolean => hasFlag(message, MessageFlags.Ephemeral);

/** The bot is thinking. */
export const isLoading = (message: APIMessage): boolean => hasFlag(message, MessageFlags.Loading);

/** Its components (V2) show everything, its files too. */
export const isMadeOfComponents = (message: APIMessage): boolean =>
  hasFlag(message, MessageFlags.IsComponentsV2);
