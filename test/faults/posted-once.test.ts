import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { MessageFlags, PermissionFlagsBits, SnowflakeUtil } from 'discord.js';
import { expect, test } from 'vitest';
import {
  calls,
  oneCall,
  refusal,
  tooMany,
} from '../../packages/local-discord/test/support/discord-faults.ts';
import { BOT, CHANNEL, GUILD, MEMBER } from '../../packages/local-discord/test/support/local-discord.ts';
import { TOKEN_LIFE_MS } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openStore } from '../../src/storage/store.ts';
import { botWorld } from '../support/bot.ts';
import { deleteBy } from '../support/buttons.ts';
import { startedJob } from '../support/started-job.ts';

const UNVERIFIABLE = 'where the bot cannot read it';

type Started = Awaited<ReturnType<typeof startedJob>>;

/** New messages in the channel of the job. */
const posts = ({ discord }: Started) =>
  discord.requests.list((asked) => calls.post(asked) && asked.path.includes(CHANNEL));

/** Such calls, as soon as the picture has arrived: no edit of progress before it meets the fault. */
const onceSeen =
  ({ seen }: Started, call: (typeof calls)['token']) =>
  (asked: Parameters<typeof call>[0]) =>
    seen().length > 0 && call(asked);

/** A picture that only a direct message may show; the redirect in the reply fails. */
async function forbiddenJob(): Promise<Started> {
  const world = await startedJob({ prompt: 'a forbidden fox' });
  world.discord.world.blockWords(GUILD, ['forbidden']);
  world.discord.faults.add({
    every: (asked) => (calls.reply(asked) || calls.edit(asked)) && world.direct().length > 0,
    effect: { status: 503 },
  });
  return world;
}

test('a new message that may have arrived in a channel the bot no longer sees is not sent as a direct message too', async () => {
  const world = await startedJob();
  world.discord.world.deleteMessage(world.reply.id);
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: calls.post, effect: { status: 503 } });
  world.discord.faults.add({ every: onceSeen(world, calls.look), effect: { status: 503 } });
  await world.drawing.finish();
  await expect.poll(world.seen).toHaveLength(1);
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.ViewChannel);
  world.discord.faults.clear();
  world.clock.advance(5 * MINUTE_MS);
  await world.logs(UNVERIFIABLE);
  expect(world.direct()).toEqual([]);
});

test('a private picture that may have arrived before its token expired is not sent as a direct message too', async () => {
  const world = await startedJob({ private: true });
  world.discord.faults.add({ next: oneCall.replyFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: onceSeen(world, calls.token), effect: refusal(401, 50027) });
  await world.drawing.finish();
  await world.logs(UNVERIFIABLE);
  expect(world.direct()).toEqual([]);
  expect(world.seen()).toHaveLength(1);
});

test('a private picture is found in its reply where the edit that brought it was not answered', async () => {
  const world = await startedJob({ private: true });
  world.discord.faults.add({ next: oneCall.replyFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: onceSeen(world, calls.reply), effect: refusal(403, 50013) });
  await world.drawing.finish();
  await world.logs('"delivered"');
  expect(world.direct()).toEqual([]);
  expect(world.seen()).toHaveLength(1);
});

test('a private picture that was refused for certain comes as a direct message', async () => {
  const world = await startedJob({ private: true });
  const refused = () => world.discord.requests.list(({ status }) => status === 429);
  world.discord.faults.add({ next: oneCall.replyFiles, effect: tooMany(1) });
  world.discord.faults.add({
    every: (asked) => refused().length > 0 && calls.token(asked),
    effect: refusal(401, 50027),
  });
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
});

test('a private picture whose every answer was lost until its token expired waits to be asked for', async () => {
  const world = await startedJob({ private: true });
  world.discord.faults.add({ every: calls.reply, effect: 'answer-lost' });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  world.clock.advance(11 * MINUTE_MS);
  await world.logs('Discord failed for too long');
  await expect.poll(() => world.clock.sleeps()).toContain(5 * MINUTE_MS);
  world.discord.faults.clear();
  world.clock.advance(5 * MINUTE_MS);
  await world.logs('"waitReason":"unverifiable"');
  expect(world.direct()).toEqual([]);
  await world.show();
  await expect.poll(world.seen).toHaveLength(2);
  expect(world.direct()).toEqual([]);
});

test('a picture that its member deleted before its answer came does not come back', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: calls.reply, effect: { status: 503 } });
  await world.drawing.finish();
  const ended = await world.ended(world.reply.id);
  await deleteBy(ended, world.member);
  await expect.poll(world.seen).toEqual([]);
  world.discord.faults.clear();
  await world.logs(UNVERIFIABLE);
  expect(posts(world)).toEqual([]);
  expect(world.direct()).toEqual([]);
});

test('Show hands nothing out while Discord does not say whether it has arrived', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.reply, effect: 'answer-lost' });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  world.clock.advance(11 * MINUTE_MS);
  await world.logs('"waitReason":"unconfirmed"');
  world.discord.faults.clear();
  world.discord.faults.add({ next: oneCall.look, effect: { status: 503 } });
  const toMemberOnly = { kind: 'message', message: { flags: MessageFlags.Ephemeral } };
  expect(await world.show()).toMatchObject(toMemberOnly);
  await world.reads(en.jobs.unanswered);
  expect(await world.show()).toMatchObject(toMemberOnly);
  await world.reads(en.jobs.over);
  expect(world.seen()).toHaveLength(1);
});

test('a picture that Show brings leaves no old reply behind that still shows progress', async () => {
  const world = await startedJob();
  world.discord.faults.add({
    every: (asked) => calls.reply(asked) || calls.edit(asked),
    effect: { status: 503 },
  });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  world.clock.advance(11 * MINUTE_MS);
  await world.logs('Discord failed for too long');
  await expect.poll(() => world.clock.sleeps()).toContain(5 * MINUTE_MS);
  world.discord.faults.clear();
  await world.show();
  await expect.poll(world.seen).toHaveLength(1);
  expect(world.said()).toContain('You will find it in `/jobs`');
});

test('a reply without the picture is redirected, although Discord fails at first', async () => {
  const world = await forbiddenJob();
  await world.drawing.finish();
  const failed = () => world.discord.requests.list(({ status }) => status === 503);
  await expect.poll(() => failed().length).toBeGreaterThan(3);
  world.discord.faults.clear();
  await world.reads('I sent it to you directly.');
  expect(world.direct()).toHaveLength(1);
});

test('a redirect that a stopped process could not write is written by the next one', async () => {
  const world = await forbiddenJob();
  await world.drawing.finish();
  await expect.poll(world.direct).toHaveLength(1);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  await world.reads('I sent it to you directly.');
  await world.logs('had arrived already');
  expect(world.direct()).toHaveLength(1);
});

test('the next process knows where a picture was posted, also where the bot cannot read it', async () => {
  const world = await forbiddenJob();
  await world.drawing.finish();
  await expect.poll(world.direct).toHaveLength(1);
  await world.logs('"delivered"');
  await world.stopBot();
  world.discord.faults.clear();
  world.discord.faults.add({ every: calls.look, effect: refusal(403, 50001) });
  await world.startBot();
  await world.reads('I sent it to you directly.');
  await world.logs('had arrived already');
  expect(world.direct()).toHaveLength(1);
});

test.each([
  ['a page', '<html>Welcome</html>'],
  ['something else', { ok: true }],
])('%s in place of an answer does not count as delivered', async (_, body) => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: { status: 200, body }, times: 2 });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
});

test('a resumed job shows nothing until Discord says that its picture has not arrived', async () => {
  const world = await startedJob();
  await world.stopBot();
  world.discord.requests.clear();
  world.discord.faults.add({ next: oneCall.look, effect: { status: 503 }, times: 5 });
  await world.startBot();
  await world.drawing.finish();
  await world.ended(world.reply.id);
  const asked = world.discord.requests.list((one) => calls.look(one) || calls.reply(one));
  // Five that fail, then the reply: while its token lives, a job that has not ended is looked for nowhere else.
  expect(asked.findIndex(({ method }) => method === 'PATCH')).toBe(6);
});

test('a message is found beyond a thousand others that were written while its picture developed', async () => {
  const world = await startedJob();
  for (let line = 0; line < 1_001; line += 1) await world.member.say(CHANNEL, `line ${line}`);
  world.clock.advance(3 * MINUTE_MS);
  world.discord.world.deleteMessage(world.reply.id);
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: calls.post, effect: { status: 503 } });
  world.discord.faults.add({ every: onceSeen(world, calls.look), effect: { status: 503 } });
  await world.drawing.finish();
  await expect.poll(world.seen).toHaveLength(1);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  await world.logs('had arrived already');
  expect(world.seen()).toHaveLength(1);
});

/** A job that has ended while its picture could not be sent, in a channel that can be read so often. */
async function unsentJob(channelRead = { calls: 5, windowMs: 5_000 }): Promise<Started> {
  const plenty = { calls: 1_000, windowMs: 1_000 };
  const world = await startedJob({}, { discord: { rateLimits: { global: plenty, channelRead } } });
  world.discord.faults.add({ every: calls.post, effect: { status: 503 } });
  return world;
}

/** Likewise, behind so many messages. */
async function buried({ drawing, discord, member }: Started, lines: number): Promise<void> {
  await drawing.finish();
  await expect.poll(() => discord.requests.list(({ status }) => status === 503).length).toBeGreaterThan(0);
  for (let line = 0; line < lines; line += 1) await member.say(CHANNEL, `line ${line}`);
}

test('a message is found beyond nine hundred others, although the channel is read five times in five seconds', async () => {
  const world = await unsentJob();
  world.discord.world.deleteMessage(world.reply.id);
  await buried(world, 901);
  world.discord.faults.clear();
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: onceSeen(world, calls.post), effect: { status: 503 } });
  world.discord.faults.add({ every: onceSeen(world, calls.look), effect: { status: 503 } });
  await expect.poll(world.seen).toHaveLength(1);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  await world.logs('had arrived already');
  expect(world.seen()).toHaveLength(1);
});

test('a picture that is not among six hundred messages is sent, although the channel is read five times in five seconds', async () => {
  const world = await unsentJob();
  world.discord.faults.add({
    every: (asked) => calls.reply(asked) || calls.edit(asked),
    effect: { status: 503 },
  });
  await buried(world, 601);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(posts(world)).toEqual([]);
});

test('Show that has no time to look through six hundred messages goes on where it was when it is pressed again', async () => {
  const world = await unsentJob({ calls: 5, windowMs: 10_000 });
  world.discord.world.deleteMessage(world.reply.id);
  await buried(world, 601);
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.ViewChannel);
  world.discord.faults.clear();
  await world.logs('"waitReason":"unverifiable"');
  world.discord.world.deny(CHANNEL, BOT, 0n);
  await world.show();
  await world.reads(en.jobs.unanswered);
  // What is on its way has no Show any more.
  const shownAgain = async () => {
    if (world.seen().length === 0) await world.show().catch(() => undefined);
    return world.seen();
  };
  await expect.poll(shownAgain).toHaveLength(1);
});

/** The store of a bot that is stopped. */
async function jobsOf({ folder }: { folder: string }) {
  const store = await openStore({ url: `sqlite://${join(folder, 'bot.sqlite')}`, log: silentLog() });
  const jobs = createJobStore({ store, vault: createVault(['b'.repeat(64)]) });
  const [job] = await jobs.ofMember(MEMBER);
  if (!job) throw new Error('no job');
  return { jobs, job, close: store.close };
}

test('a message is found that was posted while the clock of the bot was five minutes ahead of Discord', async () => {
  const world = await startedJob();
  world.discord.world.deleteMessage(world.reply.id);
  await world.drawing.finish();
  await world.logs('"delivered"');
  await world.stopBot();
  // As a process leaves it that is killed after Discord has taken the outcome, and before it has heard so.
  const { jobs, job, close } = await jobsOf(world);
  const { posted: _, createdAt, endedAt = createdAt, reply, ...rest } = job;
  const ahead = {
    createdAt: createdAt + 5 * MINUTE_MS,
    endedAt: endedAt + 5 * MINUTE_MS,
    reply: { ...reply, aheadMs: 5 * MINUTE_MS },
  };
  await jobs.erase([job]);
  await jobs.create({ ...rest, ...ahead, state: 'delivering' });
  await close();
  await world.startBot();
  await world.logs('had arrived already');
  expect(world.seen()).toHaveLength(1);
});

test('an outcome in a reply whose id was never written down is found after its token has died, and not posted again', async () => {
  const world = await botWorld();
  const shown = await world.imagined({ prompt: 'a red fox', size: '64x64' });
  await world.stopBot();
  // As a process leaves it that is killed after Discord has taken the outcome, and before it has heard so.
  const { jobs, job: delivered, close } = await jobsOf(world);
  const { posted: _, ...job } = delivered;
  const { tokenExpiresAt } = job.reply;
  const endedAt = job.createdAt + 5 * MINUTE_MS;
  await jobs.erase([delivered]);
  await jobs.create({ ...job, state: 'delivering', endedAt, reply: { tokenExpiresAt } });
  await close();
  world.clock.advance(30 * MINUTE_MS);
  await world.startBot();
  await world.logs('had arrived already');
  const messages = world.member.messages(CHANNEL).filter(({ author }) => author.id === BOT);
  expect(messages.map(({ id }) => id)).toEqual([shown.id]);
});

test('in the last minute of its token a reply is edited by the bot', async () => {
  const world = await startedJob();
  await world.untilHandover();
  const diesAt = SnowflakeUtil.timestampFrom(world.reply.id) + TOKEN_LIFE_MS;
  world.clock.advance(diesAt - MINUTE_MS / 2 - world.clock.now());
  world.discord.requests.clear();
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.discord.requests.list(calls.reply)).toEqual([]);
  expect(world.discord.requests.list(calls.editUpload)).toHaveLength(1);
});

test('a wait that Discord asks for by a 429 passes on the clock of the bot', async () => {
  // The bot itself cannot edit a private reply.
  const world = await startedJob({ private: true });
  const seconds = 400;
  world.discord.faults.add({ next: oneCall.replyFiles, effect: tooMany(seconds) });
  await world.drawing.finish();
  const waits = () => world.clock.sleeps().filter((ms) => ms >= seconds * 1_000 && ms < seconds * 1_010);
  await expect.poll(waits).toHaveLength(1);
  world.clock.advance(seconds * 1_010);
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
});

test('a picture that Discord calls too large (40005), with whatever status, is made smaller', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: refusal(400, 40005), times: 2 });
  await world.drawing.finish();
  const ended = await world.ended(world.reply.id);
  expect(ended.content).toContain('too large for this channel');
  expect(world.discord.requests.list(calls.edit)).toEqual([]);
});

test('too many edits of an old message (30046), with whatever status, are waited out', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.faults.add({ next: oneCall.editFiles, effect: refusal(400, 30046), times: 2 });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(posts(world)).toEqual([]);
});

test.each([
  ['a channel that is gone (10003)', refusal(404, 10003)],
  ['what AutoMod refuses (200000)', refusal(400, 200000)],
])('%s is not tried again by a new message there', async (_, effect) => {
  const world = await startedJob();
  world.discord.faults.add({ every: (asked) => calls.reply(asked) || calls.edit(asked), effect });
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  expect(posts(world)).toEqual([]);
});
