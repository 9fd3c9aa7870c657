import { causeOf, OperatorError } from '@darkroom/process';
import { DiscordAPIError, REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../../bot/command.ts';
import { outdatedCommands, payloadsOf } from '../../bot/registered-commands.ts';
import { nowhere, wrongAddress } from '../../bot/wrong-address.ts';
import type { Config } from '../../config.ts';
import { WHERE_TOKEN_IS } from '../../discord-token.ts';
import type { Checkup } from './checkup.ts';

/** How far the clock may be off: an interaction that seems older than Discord allows is answered too late. */
const CLOCK_MS = 5_000;

const application = z.object({ id: z.string(), name: z.string() });

type DiscordConfig = Pick<
  Config,
  'DISCORD_TOKEN' | 'DISCORD_API_URL' | 'DISCORD_APPLICATION_ID' | 'DISCORD_GUILD_ID'
>;

/** What Discord says of the token, of its application and of its commands, and what time it is there. */
export function discordCheckups(config: DiscordConfig, commands: readonly Command[]): Checkup[] {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: api, DISCORD_GUILD_ID: guildId } = config;
  const rest = new REST({ api, version: '10', retries: 0 });
  if (token !== undefined) rest.setToken(token);

  async function applicationOf(signal: AbortSignal) {
    if (token === undefined) throw new OperatorError('not looked at without DISCORD_TOKEN.');
    try {
      return application.parse(await rest.get(Routes.currentApplication(), { signal }));
    } catch (error) {
      throw explained(error, rest);
    }
  }

  return [
    {
      name: 'token',
      async examine(signal) {
        if (token === undefined)
          throw new OperatorError(
            `DISCORD_TOKEN is not set. Run npm run setup, which asks for it. ${WHERE_TOKEN_IS}`,
          );
        return `Discord knows it as ${(await applicationOf(signal)).name}`;
      },
    },
    {
      name: 'application',
      async examine(signal) {
        const { id } = await applicationOf(signal);
        const wanted = config.DISCORD_APPLICATION_ID ?? id;
        if (wanted === id) return id;
        throw new OperatorError(
          `DISCORD_APPLICATION_ID is ${wanted}, but the token is of ${id}. Leave it out, or copy the token of that application.`,
        );
      },
    },
    {
      name: 'commands',
      async examine(signal) {
        const { id } = await applicationOf(signal);
        const old = await outdatedCommands(rest, commands, {
          applicationId: id,
          guildIds: [guildId],
          signal,
        }).catch((error: unknown) => {
          throw explained(error, rest);
        });
        if (old.length === 0) return `all ${payloadsOf(commands).length} are registered and up to date`;
        throw new OperatorError(
          `${old.join(', ')} missing or of another version. Run npm run deploy-commands.`,
        );
      },
    },
    {
      name: 'clock',
      async examine(signal) {
        const response = await fetch(`${api}/v10/gateway`, { signal }).catch((error: unknown) => {
          throw explained(error, rest);
        });
        if (response.status === 404) throw new OperatorError(nowhere(rest));
        const told = Date.parse(response.headers.get('date') ?? '');
        const offMs = Date.now() - told;
        if (Number.isNaN(told))
          throw new OperatorError('Discord does not say what time it is. Check DISCORD_API_URL.');
        if (Math.abs(offMs) <= CLOCK_MS) return 'as Discord’s';
        throw new OperatorError(
          `this machine is ${Math.round(Math.abs(offMs) / 1_000)} s ${offMs > 0 ? 'ahead of' : 'behind'} Discord. Switch on NTP: timedatectl set-ntp true.`,
        );
      },
    },
  ];
}

function explained(error: unknown, rest: REST): OperatorError {
  if (error instanceof OperatorError) return error;
  const elsewhere = wrongAddress(error, rest);
  if (elsewhere !== undefined) return new OperatorError(elsewhere);
  if (error instanceof DiscordAPIError && error.status === 401)
    return new OperatorError(
      'Discord does not accept DISCORD_TOKEN. Copy it again from the Bot page of the developer portal.',
    );
  if (error instanceof DiscordAPIError && error.status < 500)
    return new OperatorError(
      `Discord refuses: ${error.message}. Check DISCORD_APPLICATION_ID and DISCORD_GUILD_ID, and that the bot is in that server.`,
    );
  return new OperatorError(
    `Discord cannot be reached: ${causeOf(error)}. Check the network and DISCORD_API_URL.`,
  );
}
