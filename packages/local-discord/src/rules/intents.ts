import { GatewayIntentBits as Intent } from 'discord-api-types/v10';

/** All intents that exist. Source: 'Gateway', list of intents. */
export const INTENTS = Object.values(Intent)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0);

/** What Discord asks an application to switch on first. Source: 'Gateway', privileged intents. */
export const PRIVILEGED_INTENTS = Intent.GuildMembers | Intent.GuildPresences | Intent.MessageContent;
