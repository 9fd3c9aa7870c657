import { Client, Events } from 'discord.js';
import { answerQuestions } from './forked.ts';

/**
 * A bot that only defers, as little as discord.js can do: what any first answer costs here. A picture that comes with
 * a command it sends on to `receiver`.
 */
const [apiUrl = '', token = '', receiver = ''] = process.argv.slice(2);
const client = new Client({ intents: [], waitGuildTimeout: 0, rest: { api: apiUrl } });
client.on(Events.InteractionCreate, (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  void interaction.deferReply();
  const picture = interaction.options.getAttachment('image');
  if (picture) void sendOn(picture.url);
});

async function sendOn(address: string): Promise<void> {
  const picture = await fetch(address);
  const answer = await fetch(receiver, { method: 'POST', body: await picture.arrayBuffer() });
  await answer.arrayBuffer();
}

const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
await client.login(token);
await ready;

answerQuestions(() => ({}));
