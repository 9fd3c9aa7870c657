import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '@darkroom/testing';
import { REST, Routes } from 'discord.js';
import { startDiscord, type World } from 'local-discord';
import { commands } from '../commands/index.ts';
import { payloadsOf } from '../src/bot/registered-commands.ts';
import type { Answered, DiscordQuestion, Picture, Tally } from './discord.ts';
import { answerQuestions } from './forked.ts';
import { noisePicture, SIDE_OF_2_MIB } from './noise-picture.ts';

/** The entry of the process that `startBenchDiscord` starts. */
const servers = Number(process.argv[2]);
const channelReplyEdits = { calls: Number(process.argv[3]), windowMs: 60_000 };
/** Each asks in turn, in a server that is hers. */
const MEMBERS = Math.min(servers, 300);
const BOT = '100000000000000000';
/** Sees every server. */
const OBSERVER = '100000000000000001';

// One millisecond apart, so that they spread over shards as Discord's own do.
const snowflake = (kind: bigint, index: number) => String((kind << 56n) + (BigInt(index + 1) << 22n));
const memberId = (index: number) => snowflake(1n, index % MEMBERS);
const channelId = (index: number) => snowflake(2n, index);

const world: World = {
  applications: [{ id: BOT, name: 'Darkroom' }],
  users: [
    { id: OBSERVER, username: 'observer' },
    ...Array.from({ length: MEMBERS }, (_, index) => ({ id: memberId(index), username: `member-${index}` })),
  ],
  guilds: Array.from({ length: servers }, (_, index) => ({
    id: snowflake(3n, index),
    name: `Server ${index}`,
    ownerId: OBSERVER,
    channels: [{ id: channelId(index), name: 'darkroom' }],
    members: [{ userId: OBSERVER }, { userId: memberId(index) }, { userId: BOT }],
  })),
};

const discord = await startDiscord({ log: silentLog(), world, rateLimits: { channelReplyEdits } });
const token = discord.token(BOT);
const rest = new REST({ api: discord.apiUrl, version: '10' }).setToken(token);
await rest.put(Routes.applicationCommands(BOT), { body: payloadsOf(commands) });

const observer = discord.as(OBSERVER);
const prompts = new Map<string, string>();
let pictures: Picture[] = [];
observer.subscribe((event) => {
  if (event.type !== 'message-updated' && event.type !== 'message-created') return;
  const { id, attachments } = event.message;
  const prompt = prompts.get(id);
  if (prompt === undefined || attachments.length === 0) return;
  pictures.push({ prompt, at: Date.now() });
  prompts.delete(id);
  // After the answer to the bot, which edited it.
  setImmediate(() => observer.deleteMessage(id));
});

let asked = 0;

async function imagine(picture: Uint8Array | undefined): Promise<Answered> {
  const number = asked++;
  const server = number % servers;
  const prompt = `a red fox, number ${number}`;
  const image = picture && {
    name: 'noise.png',
    // What follows the picture is no part of it, and makes the file another one.
    bytes: new Uint8Array(Buffer.concat([picture, Buffer.from(prompt)])),
    contentType: 'image/png',
  };
  const options = { prompt, ...(image && { image }) };
  const startedAt = performance.now();
  const answer = await discord.as(memberId(server)).invoke(channelId(server), 'imagine', options);
  const ms = performance.now() - startedAt;
  if (answer.kind !== 'message') return { prompt, ms, kind: 'failure' };
  // Only the member sees a refusal.
  if (!observer.message(answer.message.id)) return { prompt, ms, kind: 'refused' };
  prompts.set(answer.message.id, prompt);
  return { prompt, ms, kind: 'message' };
}

answerQuestions(async (question: DiscordQuestion) => {
  switch (question.ask) {
    case 'address':
      return { apiUrl: discord.apiUrl, token };
    case 'imagine': {
      const { requests, overMs, withPictures } = question;
      const picture = withPictures ? await noisePicture(SIDE_OF_2_MIB) : undefined;
      return Promise.all(
        Array.from({ length: requests }, async (_, index) => {
          await delay((index * overMs) / requests);
          return imagine(picture);
        }),
      );
    }
    case 'pictures': {
      const appeared = pictures;
      pictures = [];
      return appeared;
    }
    case 'tally': {
      const listed = discord.requests.list();
      return {
        requests: listed.length,
        refused: listed.filter(({ status }) => status === 429).length,
      } satisfies Tally;
    }
  }
});
