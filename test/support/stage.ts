import { join } from 'node:path';
import type { ChatInputCommandInteraction, Interaction } from 'discord.js';
import { Client, REST, type RESTPostAPIApplicationCommandsJSONBody, Routes } from 'discord.js';
import { systemClock } from '../../src/clock.ts';
import { createLocalDiscord } from '../../src/local-discord/local-discord.ts';
import { createLog } from '../../src/log.ts';
import { BOT_ID, NEIGHBOURHOOD, RESIDENTS } from '../../src/playground/neighbourhood.ts';
import { servePage } from '../../src/playground/page-server.ts';
import { PATIENCE_MS } from './patience.ts';

const PAGE_FOLDER = join(import.meta.dirname, '..', '..', 'dist', 'src', 'playground', 'page');

/** A part that the bot on the stage plays. */
export interface Act {
  commands: RESTPostAPIApplicationCommandsJSONBody[];
  onCommand(interaction: ChatInputCommandInteraction): Promise<unknown>;
  onOther?(interaction: Interaction): Promise<unknown>;
  /** How long a first answer may take, in milliseconds; as long as anything unless the act is about that. */
  firstAnswerMs?: number;
}

/** The chat page with a small bot of the test's own: for everything that a bot may show, and for one that is silent. */
export async function openStage(act: Act) {
  const log = createLog({ level: 'silent' });
  const discord = createLocalDiscord({
    clock: systemClock,
    log,
    world: NEIGHBOURHOOD,
    firstAnswerMs: act.firstAnswerMs ?? PATIENCE_MS,
  });
  await servePage(discord.app, {
    as: discord.as,
    people: () => RESIDENTS.map(({ id, displayName, about }) => ({ id, name: displayName, about })),
    bots: () => [{ id: BOT_ID, name: 'Darkroom', online: discord.gateway.isConnected(BOT_ID) }],
    account: async () => null,
    folder: PAGE_FOLDER,
    log,
  });
  const { apiUrl, url } = await discord.listen();
  const token = discord.token(BOT_ID);
  const rest = new REST({ api: apiUrl, version: '10' }).setToken(token);
  await rest.put(Routes.applicationCommands(BOT_ID), { body: act.commands });
  const client = new Client({ intents: [], waitGuildTimeout: 0, rest: { api: apiUrl } });
  client.on('error', () => undefined);
  client.on('interactionCreate', async (interaction) => {
    if (interaction.isChatInputCommand()) await act.onCommand(interaction);
    else await act.onOther?.(interaction);
  });
  await client.login(token);
  return {
    url,
    client,
    async close() {
      await client.destroy();
      await discord.close();
    },
  };
}
