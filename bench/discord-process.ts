import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '@darkroom/testing';
import { ApplicationCommandOptionType, REST, Routes } from 'discord.js';
import { startDiscord, type World } from 'local-discord';
import { commands } from '../commands/index.ts';
import { payloadsOf } from '../src/bot/registered-commands.ts';
import type { Answered, DiscordAddress, DiscordQuestion, Picture } from './discord.ts';
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
const OTHER_BOT = '100000000000000002';
/** Of the other bot. */
const BRING = {
  name: 'bring',
  description: 'Takes a picture.',
  options: [{ type: ApplicationCommandOptionType.Attachment, name: 'image', description: 'The picture.' }],
};

// One millisecond apart, so that they spread over shards as Discord's own do.
const snowflake = (kind: bigint, index: number) => String((kind << 56n) + (BigInt(index + 1) << 22n));
const memberId = (index: number) => snowflake(1n, index % MEMBERS);
const channelId = (index: number) => snowflake(2n, index);

const world: World = {
  applications: [
    { id: BOT, name: 'Darkroom' },
    { id: OTHER_BOT, name: 'Other' },
  ],
  users: [
    { id: OBSERVER, username: 'observer' },
    ...Array.from({ length: MEMBERS }, (_, index) => ({ id: memberId(index), username: `member-${index}` })),
  ],
  guilds: Array.from({ length: servers }, (_, index) => ({
    id: snowflake(3n, index),
    name: `Server ${index}`,
    ownerId: OBSERVER,
    channels: [{ id: channelId(index), name: 'darkroom' }],
    members: [OBSERVER, memberId(index), BOT, OTHER_BOT].map((userId) => ({ userId })),
  })),
};

const discord = await startDiscord({ log: silentLog(), world, rateLimits: { channelReplyEdits } });
for (const [bot, body] of [
  [BOT, payloadsOf(commands)],
  [OTHER_BOT, [BRING]],
] as const) {
  const rest = new REST({ api: discord.apiUrl, version: '10' }).setToken(discord.token(bot));
  await rest.put(Routes.applicationCommands(bot), { body });
}

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

/** Somebody asks for something, with a picture if there is one. */
async function ask(command: 'imagine' | 'bring', picture?: Uint8Array): Promise<Answered> {
  const number = asked++;
  const server = number % servers;
  const prompt = `a red fox, number ${number}`;
  const options = {
    ...(command === 'imagine' && { prompt }),
    ...(picture && {
      image: { name: 'noise.png', bytes: fileOf(picture, prompt), contentType: 'image/png' },
    }),
  };
  const startedAt = performance.now();
  const answer = await discord.as(memberId(server)).invoke(channelId(server), command, options);
  const ms = performance.now() - startedAt;
  if (answer.kind !== 'message') return { prompt, ms, kind: 'failure' };
  // Only the member sees a refusal.
  if (!observer.message(answer.message.id)) return { prompt, ms, kind: 'refused' };
  prompts.set(answer.message.id, prompt);
  return { prompt, ms, kind: 'message' };
}

/** What follows the picture is no part of it, and makes the file another one. */
function fileOf(picture: Uint8Array, ending: string): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(picture.length + ending.length);
  file.set(picture);
  file.set(new TextEncoder().encode(ending), picture.length);
  return file;
}

/** So many times, evenly over a time. */
const evenly = (times: number, overMs: number, work: () => Promise<Answered>): Promise<Answered[]> =>
  Promise.all(
    Array.from({ length: times }, async (_, index) => {
      await delay((index * overMs) / times);
      return work();
    }),
  );

/** Made before anything is measured. */
const picture = await noisePicture(SIDE_OF_2_MIB);

answerQuestions((question: DiscordQuestion) => {
  switch (question.ask) {
    case 'address':
      return {
        apiUrl: discord.apiUrl,
        token: discord.token(BOT),
        otherToken: discord.token(OTHER_BOT),
      } satisfies DiscordAddress;
    case 'imagine':
      return evenly(question.requests, question.overMs, () => ask('imagine'));
    case 'bring': {
      const { pictures, overMs, elsewhere } = question;
      return evenly(pictures, overMs, () => ask(elsewhere ? 'bring' : 'imagine', picture));
    }
    case 'pictures': {
      const appeared = pictures;
      pictures = [];
      return appeared;
    }
    case 'refused':
      return discord.requests.list().filter(({ status }) => status === 429).length;
  }
});
