import https from 'node:https';
import { Client, GatewayIntentBits as Intent } from 'discord.js';

/** A bot that knows nothing of a local Discord. `/gateway` by `https` is how Eris speaks. */
const client = new Client({ intents: [Intent.Guilds, Intent.GuildMessages, Intent.MessageContent] });
client.on('messageCreate', async (message) => {
  if (message.content === '!fetch') {
    const response = await fetch('https://discord.com/api/v10/gateway');
    await message.reply(`fetch: ${response.status}`);
  }
  if (message.content === '!https') {
    https.get('https://discord.com/api/v10/gateway', { headers: { 'user-agent': 'bot' } }, (response) => {
      response.resume();
      message.reply(`https: ${response.statusCode}`);
    });
  }
});
await client.login(process.env.TOKEN);
