import { Client, Events } from 'discord.js';
import { answerQuestions } from './forked.ts';

/** A bot that only defers, as little as discord.js can do: what any first answer costs here. */
const [apiUrl = '', token = ''] = process.argv.slice(2);
const client = new Client({ intents: [], waitGuildTimeout: 0, rest: { api: apiUrl } });
client.on(Events.InteractionCreate, (interaction) => {
  if (interaction.isChatInputCommand()) void interaction.deferReply();
});
const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
await client.login(token);
await ready;

answerQuestions(() => ({}));
