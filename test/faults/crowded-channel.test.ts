import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import {
  calls,
  oneCall,
  refusal,
  tooMany,
} from '../../packages/local-discord/test/support/discord-faults.ts';
import { startedJob } from '../support/started-job.ts';

/** Before 40 % is read: that it is queued, that it has begun, and how far it is. */
const EDITS = 3;

/** A channel whose replies take so many edits by their webhooks, all together. */
const channelThatTakes = (edits: number) => {
  const plenty = { calls: 1_000, windowMs: 1_000 };
  return {
    discord: {
      rateLimits: {
        interactionWebhook: plenty,
        channelEdit: plenty,
        channelReplyEdits: { calls: edits, windowMs: MINUTE_MS },
      },
    },
  };
};

test('a picture whose channel takes no more edits by webhooks is shown at once, by an edit of the bot', async () => {
  const world = await startedJob({}, channelThatTakes(EDITS));
  await expect.poll(() => world.discord.requests.list(calls.reply).length).toBe(EDITS);
  await world.drawing.finish();
  const message = await world.ended(world.reply.id);
  expect(message.attachments).toHaveLength(1);
  // On a slow machine the reply has said 'Finishing' before, in the same ways.
  expect(world.discord.requests.list(calls.editUpload)).toHaveLength(1);
  expect([1, 2]).toContain(world.discord.requests.list(({ status }) => status === 429).length);
});

test('a reply that waits for its webhook alone, because it is private, is edited when its time has come', async () => {
  const world = await startedJob({ private: true });
  world.discord.faults.add({ next: oneCall.replyFiles, effect: tooMany(20) });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.discord.requests.list(calls.edit)).toEqual([]);
});

test('a token that Discord has refused once is not tried again', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.token, effect: refusal(401, 50027) });
  world.discord.requests.clear();
  world.drawing.progress(60);
  await expect.poll(() => world.discord.requests.list(calls.token)).toHaveLength(1);
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.discord.requests.list(calls.token)).toHaveLength(1);
});

test('nor is it where the bot edits instead, and fails at first', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.token, effect: refusal(401, 50027) });
  world.discord.faults.add({ next: oneCall.editFiles, effect: { status: 503 } });
  world.discord.requests.clear();
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.discord.requests.list(calls.token)).toHaveLength(1);
});

test('where the bot was found not to see the channel, a picture whose token has died comes directly, and at once', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyWords, effect: tooMany(1) });
  world.discord.faults.add({ every: calls.edit, effect: refusal(403, 50001) });
  await world.outliveToken();
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
});

test('where the bot may not see the channel either, a picture waits for its webhook and asks the bot once', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: tooMany(3), times: 2 });
  world.discord.faults.add({ every: calls.edit, effect: refusal(403, 50001) });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.discord.requests.list(calls.edit)).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
});

test('once Discord was away and answers again, what waited arrives by itself', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.any, effect: { status: 503 } });
  await world.drawing.finish();
  await world.logs('Discord does not answer');
  world.clock.advance(3 * MINUTE_MS);
  world.discord.faults.clear();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  await world.logs('Discord answers again');
});

/** A job whose picture is on disk while Discord is away. */
async function spooledJob() {
  const world = await startedJob();
  const folder = join(world.folder, 'bot.sqlite-spool');
  world.discord.faults.add({ every: calls.any, effect: { status: 503 } });
  await world.drawing.finish();
  await expect.poll(() => readdir(folder)).toHaveLength(1);
  await world.logs('a message could not be sent');
  return { ...world, spool: folder };
}

test('a picture that waits for Discord is on disk, and comes after a restart although the service has lost it', async () => {
  const world = await spooledJob();
  await world.stopBot();
  await rm(join(world.service.folder, 'pictures'), { recursive: true });
  world.discord.faults.clear();
  await world.startBot();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  await expect.poll(() => readdir(world.spool)).toEqual([]);
});

test.each([
  ['is gone, because another machine took over', (path: string) => rm(path)],
  ['was cut off by a kill', (path: string) => writeFile(path, 'half a picture')],
])('a picture whose file %s is fetched again', async (_, damage) => {
  const world = await spooledJob();
  await world.stopBot();
  const [name = ''] = await readdir(world.spool);
  await damage(join(world.spool, name));
  world.discord.faults.clear();
  await world.startBot();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
});

test('a finished picture that cannot be fetched is said to be, and until when it is tried', async () => {
  const world = await startedJob();
  await world.stopBot();
  await world.drawing.finish();
  await expect.poll(() => world.pictures()).toHaveLength(1);
  await rm(join(world.service.folder, 'pictures'), { recursive: true });
  await world.startBot();
  expect((await world.reads('trying to fetch it')).content).toMatch(/until <t:\d+:t>/);
});
