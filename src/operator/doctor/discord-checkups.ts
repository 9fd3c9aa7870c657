import { OperatorError, ownCommand } from '@darkroom/process';
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../../bot/command.ts';
import { outdatedCommands, payloadsOf } from '../../bot/registered-commands.ts';
import type { Config } from '../../config.ts';
import { discordProblem } from '../discord-problem.ts';
import { operatorRest } from '../discord-rest.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/** How far the clock may be off: an interaction that seems older than Discord allows is answered too late. */
const CLOCK_MS = 5_000;

const application = z.object({ id: z.string(), name: z.string() });

type DiscordConfig = Pick<
  Config,
  'DISCORD_TOKEN' | 'DISCORD_API_URL' | 'DISCORD_APPLICATION_ID' | 'DISCORD_GUILD_ID'
>;

/** What Discord says of the token, of its application and of its commands, and what time it is there. */
export function discordCheckups(config: DiscordConfig, commands: readonly Command[], words: Words): Checkups {
  const { doctor } = words;
  const { DISCORD_TOKEN: token, DISCORD_API_URL: api, DISCORD_GUILD_ID: guildId } = config;
  const rest = operatorRest(api, { retries: 0 });
  if (token !== undefined) rest.setToken(token);

  const explain = (error: unknown): never => {
    throw new OperatorError(discordProblem(error, rest, words));
  };

  async function applicationOf(signal: AbortSignal) {
    if (token === undefined) throw new OperatorError(doctor.withoutToken);
    return rest.get(Routes.currentApplication(), { signal }).then(application.parse).catch(explain);
  }

  return {
    async token(signal) {
      if (token === undefined) throw new OperatorError(doctor.noToken(ownCommand('setup')));
      return doctor.known((await applicationOf(signal)).name);
    },

    async application(signal) {
      const { id } = await applicationOf(signal);
      const wanted = config.DISCORD_APPLICATION_ID ?? id;
      if (wanted === id) return id;
      throw new OperatorError(doctor.otherApplication(wanted, id));
    },

    async commands(signal) {
      const { id } = await applicationOf(signal);
      const old = await outdatedCommands(rest, commands, {
        applicationId: id,
        guildIds: [guildId],
        signal,
      }).catch(explain);
      if (old.length === 0) return doctor.upToDate(payloadsOf(commands).length);
      throw new OperatorError(doctor.outdated(old, ownCommand('deploy-commands')));
    },

    async clock(signal) {
      const response = await fetch(`${api}/v10/gateway`, { signal }).catch(explain);
      if (response.status === 404) throw new OperatorError(words.discord.elsewhere(api));
      const told = Date.parse(response.headers.get('date') ?? '');
      const offMs = Date.now() - told;
      if (Number.isNaN(told)) throw new OperatorError(doctor.noTime);
      if (Math.abs(offMs) <= CLOCK_MS) return doctor.rightTime;
      throw new OperatorError(doctor.wrongTime(Math.round(offMs / 1_000)));
    },
  };
}
