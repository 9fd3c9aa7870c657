import { MINUTE_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import {
  controlledEngine,
  noiseEngine,
  paintNoise,
} from '../../packages/image-service/test/support/engines.ts';
import {
  calls,
  oneCall,
  refusal,
  tooMany,
} from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  OTHER_CHANNEL,
  OUTSIDER,
  PRIVATE_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { startedJob } from '../support/started-job.ts';

const requests = ({ discord }: Pick<BotWorld, 'discord'>, match: (typeof calls)['upload']) =>
  discord.requests.list(match);

test('before its token expires a reply says how the picture will come; then the bot edits the same message', async () => {
  const world = await startedJob();
  await world.outliveToken();
  expect(world.said()).toContain('This is taking longer than usual');
  expect(world.said()).not.toMatch(/developing|40 %/i);
  const byToken = requests(world, calls.reply).length;
  await world.drawing.finish();
  const ended = await world.ended(world.reply.id);
  expect(ended.attachments).toHaveLength(1);
  expect(requests(world, calls.reply)).toHaveLength(byToken);
  expect(requests(world, calls.editUpload)).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
  expect(world.engine.begun).toHaveLength(1);
});

test('a reply that was deleted is followed by one new message that names its member', async () => {
  const world = await startedJob();
  world.discord.world.deleteMessage(world.reply.id);
  await world.drawing.finish();
  const posted = await world.reads(`<@${MEMBER}>`);
  expect(posted).toMatchObject({ channel_id: CHANNEL, mentions: [{ id: MEMBER }] });
  expect(posted.attachments).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
});

test('progress that Discord shows after its edit was given up does not stay in place of the picture', async () => {
  const { world, comesLate } = await givenUpProgress();
  await world.drawing.finish();
  await world.ended(world.reply.id);
  await comesLate();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
});

test('nor where another process brings the picture before that', async () => {
  const { world, comesLate } = await givenUpProgress();
  await world.stopBot();
  await world.startBot();
  await world.drawing.finish();
  await comesLate();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
});

test('a picture whose place no late progress has taken is not uploaded again', async () => {
  const { world, minutePasses } = await givenUpProgress('hang');
  await world.drawing.finish();
  await world.ended(world.reply.id);
  world.discord.requests.clear();
  await minutePasses();
  await expect
    .poll(async () => (await run(world.member, 'jobs')).embeds[0]?.description)
    .not.toContain('100 %');
  expect(requests(world, calls.upload)).toEqual([]);
});

test('nor in place of the word where the picture is', async () => {
  const { world, comesLate } = await givenUpProgress();
  world.discord.faults.add({
    every: (asked) => asked.hasFiles && (calls.reply(asked) || asked.path.includes(CHANNEL)),
    effect: refusal(403, 50013),
  });
  await world.drawing.finish();
  await world.reads('sent it to you directly');
  await comesLate();
  await world.reads('sent it to you directly');
  expect(world.direct()).toHaveLength(1);
});

test('a new message whose answer was lost is not posted a second time', async () => {
  // A minute later the bot looks for it instead, which is six seconds on the clock of other tests.
  const world = await startedJob({}, { clock: createFastClock({ factor: 1 }) });
  world.discord.world.deleteMessage(world.reply.id);
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost', times: 2 });
  await world.drawing.finish();
  await expect.poll(() => requests(world, calls.post).length).toBe(3);
  expect(world.seen()).toHaveLength(1);
});

test('our own message is looked for where Discord has forgotten its nonce', async () => {
  const world = await startedJob();
  world.discord.world.deleteMessage(world.reply.id);
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  world.discord.faults.add({ next: oneCall.postFiles, effect: { status: 503 }, times: 2 });
  await world.drawing.finish();
  await expect.poll(() => world.seen()).toHaveLength(1);
  world.clock.advance(5 * MINUTE_MS);
  await world.logs('"delivered"');
  expect(world.seen()).toHaveLength(1);
});

test('our own message is found after a restart in a channel that has gone on', async () => {
  const world = await startedJob();
  world.discord.world.deleteMessage(world.reply.id);
  world.discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: calls.post, effect: { status: 503 } });
  world.discord.faults.add({
    every: (asked) => world.seen().length > 0 && calls.look(asked),
    effect: { status: 503 },
  });
  await world.drawing.finish();
  await expect.poll(() => world.seen()).toHaveLength(1);
  await world.stopBot();
  for (let line = 0; line < 120; line += 1) await world.member.say(CHANNEL, `line ${line}`);
  world.clock.advance(10 * MINUTE_MS);
  world.discord.faults.clear();
  world.discord.requests.clear();
  await world.startBot();
  await world.logs('the outcome had arrived already');
  expect(requests(world, calls.post)).toHaveLength(0);
  expect(world.seen()).toHaveLength(1);
});

test('where the channel is gone the picture comes as a direct message', async () => {
  const world = await startedJob();
  world.discord.world.deleteChannel(CHANNEL);
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
});

test('a bot that was kicked sends the picture directly to who has it for themselves, after one refusal by the channel', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.world.setInstalled(MEMBER, BOT, true);
  world.discord.world.kick(GUILD, BOT);
  world.discord.requests.clear();
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  const refused = world.discord.requests.list(({ code }) => code === 50001);
  expect(refused.length).toBeLessThanOrEqual(2);
});

test('and keeps it for who shares no server with it any more', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.world.kick(GUILD, BOT);
  await world.drawing.finish();
  await world.logs('the outcome waits');
  expect(world.discord.requests.list(({ code }) => code === 50278)).not.toEqual([]);
  expect(world.direct()).toEqual([]);
});

test('a bot that may no longer attach files here sends the picture directly, and the reply says so', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.AttachFiles);
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  await expect.poll(world.said).toContain(en.handover.direct);
});

test('a picture that every target refuses waits, says so, and /jobs hands it out byte for byte', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.AttachFiles);
  world.discord.world.openDirectMessages(MEMBER, false);
  await world.drawing.finish();
  await expect.poll(world.said).toContain('You will find it in');
  await world.logs('the outcome waits');
  const listed = messageOf(await world.member.invoke(CHANNEL, 'jobs'));
  const list = await world.ended(listed.id);
  expect(list.embeds[0]?.description).toContain(en.jobs.state.waiting);
  const shown = messageOf(await world.member.press(list.id, buttonOf(list, 'Show 1')));
  const message = await world.ended(shown.id);
  const [made] = await world.pictures();
  expect(Buffer.from(await world.attached(message)).equals(Buffer.from(made ?? []))).toBe(true);
});

test('a private picture whose token has expired comes as a direct message, and never into the channel', async () => {
  const world = await startedJob({ private: true });
  await world.outliveToken();
  expect(world.said()).toContain('come to you directly');
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  expect(world.as(OUTSIDER).messages(CHANNEL)).toEqual([]);
  expect(requests(world, calls.edit)).toHaveLength(0);
});

test.each([14, 60, -30])(
  'where the clock is %i minutes ahead of Discord’s a private picture comes in its reply, and the log says so',
  async (minutes) => {
    const world = await startedJob({ private: true }, { aheadMs: minutes * MINUTE_MS });
    const [, askedAt] = /<t:(\d+):R>/.exec(world.member.message(world.reply.id)?.content ?? '') ?? [];
    expect(Math.abs(world.clock.now() - Number(askedAt) * 1_000)).toBeLessThan(10 * MINUTE_MS);
    await world.drawing.finish();
    expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
    expect(world.direct()).toEqual([]);
    await world.logs('the clock of this machine is not as Discord’s');
  },
);

test('where the clock is half an hour behind Discord’s a reply says in time how its picture will come', async () => {
  const world = await startedJob({ private: true }, { aheadMs: -30 * MINUTE_MS });
  await world.outliveToken();
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
});

test('a private picture for which no new direct message may be opened comes as one a minute later', async () => {
  const world = await startedJob({ private: true });
  await world.outliveToken();
  const opening = { method: 'POST', path: /\/users\/@me\/channels$/, hasFiles: false };
  world.discord.faults.add({ next: opening, effect: refusal(400, 40003) });
  const finishedAt = world.clock.now();
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  expect(world.clock.now() - finishedAt).toBeGreaterThanOrEqual(MINUTE_MS);
});

test('a private picture that every target refuses waits, and is shown to its member only', async () => {
  const world = await startedJob({ private: true });
  await world.outliveToken();
  world.discord.world.openDirectMessages(MEMBER, false);
  await world.drawing.finish();
  await expect.poll(() => world.discord.requests.list(({ code }) => code === 50007)).toHaveLength(1);
  await world.logs('the outcome waits');
  const listed = messageOf(await world.member.invoke(CHANNEL, 'jobs'));
  const list = await world.ended(listed.id);
  const shown = messageOf(await world.member.press(list.id, buttonOf(list, 'Show 1')));
  const message = await world.ended(shown.id);
  expect(Number(message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(message.attachments).toHaveLength(1);
  expect(world.as(OUTSIDER).messages(CHANNEL)).toEqual([]);
});

test('what AutoMod blocks is sent as a direct message, and the reply repeats none of it', async () => {
  const world = await startedJob({ prompt: 'a forbidden fox' });
  world.discord.world.blockWords(GUILD, ['forbidden']);
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  await expect.poll(world.said).toBe('I couldn’t show this here, so I sent it to you directly.');
});

test('the bot still edits other replies in a channel where AutoMod has blocked one', async () => {
  const world = await startedJob({ prompt: 'a forbidden fox' });
  await world.outliveToken();
  world.discord.world.blockWords(GUILD, ['forbidden']);
  await world.drawing.finish();
  await expect.poll(world.said).toBe('I couldn’t show this here, so I sent it to you directly.');
  world.discord.requests.clear();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: tooMany(20) });
  const other = world.imagined({ prompt: 'a red fox' });
  await (await world.engine.next()).finish();
  expect((await other).attachments).toHaveLength(1);
  expect(requests(world, calls.editUpload)).toHaveLength(1);
});

test('a token that Discord no longer takes is followed by the edit of the bot', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.reply, effect: refusal(401, 50027) });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
});

test.each([
  ['too late (10062)', refusal(404, 10062, 'Unknown interaction')],
  ['answered by another process (40060)', refusal(400, 40060, 'Interaction has already been acknowledged.')],
])('an interaction that is %s costs nothing', async (_, effect) => {
  const world = await botWorld();
  world.discord.faults.add({ every: calls.callback, effect });
  void world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  await expect.poll(() => world.lines.join('')).toMatch(/could not be answered|another process answers/);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  world.clock.advance(10 * MINUTE_MS);
  // Whatever was left behind would have come before this.
  await world.imagined({ prompt: 'a blue fox' });
  expect(await world.pictures()).toHaveLength(1);
  expect(world.lines.join('')).not.toContain('took up unfinished jobs');
  expect(world.discord.requests.list(calls.post)).toEqual([]);
});

test.each([
  ['one answers, the other says so in its log, and one task is paid for', undefined],
  ['one whose first answer was lost does not take that of the other for its own', 'reset'],
] as const)('two processes on one token: %s', async (_, effect) => {
  const world = await botWorld();
  const second = await world.secondBot();
  if (effect) world.discord.faults.add({ next: oneCall.callback, effect });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.attachments).toHaveLength(1);
  await world.logs('another process answers on this DISCORD_TOKEN');
  expect(await world.pictures()).toHaveLength(1);
  await second.stop();
});

test('a first answer that Discord leaves unanswered is retried within the three seconds', async () => {
  const world = await botWorld();
  world.discord.faults.add({ next: oneCall.callback, effect: 'hang' });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.attachments).toHaveLength(1);
  const [first, again, ...more] = requests(world, calls.callback);
  expect(more).toEqual([]);
  expect((again?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(3_000 * world.clock.factor);
});

test.each(['answer-lost', 'reset'] as const)(
  'a first answer that ends with %s is retried',
  async (effect) => {
    const world = await botWorld();
    world.discord.faults.add({ next: oneCall.callback, effect });
    const message = await world.imagined({ prompt: 'a red fox' });
    expect(message.attachments).toHaveLength(1);
    expect(await world.pictures()).toHaveLength(1);
  },
);

test('a first answer that works after its timeout is ours, and the job knows its message', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  // Between the first attempt's end and the second's beginning.
  world.discord.faults.add({ next: oneCall.callback, effect: { slowMs: 850 * world.clock.factor } });
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  const drawing = await engine.next();
  const jobs = await run(world.member, 'jobs');
  expect(answer).toMatchObject({ kind: 'message' });
  expect(jobs.embeds[0]?.description).toContain(answer.kind === 'message' && answer.message.id);
  await drawing.finish();
});

test('a first answer that Discord took, but was slower with than every attempt, is ours', async () => {
  const world = await botWorld();
  // During the third attempt.
  world.discord.faults.add({ every: calls.callback, effect: { slowMs: 2_300 * world.clock.factor } });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.attachments).toHaveLength(1);
  expect(world.lines.join('')).not.toContain('an unexpected error ended a request');
});

test('a picture beyond the limit of the channel is encoded anew, and attached', async () => {
  const world = await botWorld({
    service: { engine: noiseEngine() },
    discord: { attachmentSizeLimit: 400_000 },
  });
  const message = await world.imagined({ prompt: 'noise', size: '512x512' });
  expect(message.attachments[0]).toMatchObject({ content_type: expect.stringMatching(/webp|jpeg/) });
});

test('a picture that no encoding makes small enough is a link, with the time until which it works', async () => {
  const world = await botWorld({
    service: { engine: noiseEngine() },
    discord: { attachmentSizeLimit: 2_000 },
  });
  const message = await world.imagined({ prompt: 'noise', size: '512x512' });
  expect(message.attachments).toHaveLength(0);
  expect(message.content).toMatch(/too large for this channel: <http:\/\/\S+> \(until <t:\d+>\)/);
});

test('a picture that Discord refuses as too large (40005) although it promised room is encoded anew', async () => {
  const world = await startedJob({ size: '1024x1024' });
  const effect = refusal(413, 40005, 'Request entity too large');
  world.discord.faults.add({ next: oneCall.replyFiles, effect });
  await world.drawing.finish(paintNoise);
  expect((await world.ended(world.reply.id)).attachments[0]).toMatchObject({ content_type: 'image/webp' });
});

test.each([
  ['429 with a wait', tooMany(1), 2],
  ['429 without a word', { status: 429 }, 3],
  ['too many edits of an old message (30046)', tooMany(1, { code: 30046 }), 2],
  ['a burst of 502', { status: 502, body: '<html>Bad Gateway</html>' }, 4],
  ['403 by a proxy', { status: 403, body: '<html>Forbidden</html>' }, 1],
  ['resets', 'reset' as const, 2],
  ['a lost answer', 'answer-lost' as const, 2],
  ['silence', 'hang' as const, 1],
])('%s only delays the picture', async (_, effect, times) => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect, times });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
  expect(requests(world, calls.post)).toHaveLength(0);
  expect(requests(world, calls.reply).length).toBeLessThan(12);
});

test('a progress edit that Discord answers with 429 is not repeated before its time', async () => {
  const world = await startedJob();
  world.discord.requests.clear();
  const startedAt = world.clock.now();
  world.discord.faults.add({ next: oneCall.replyWords, effect: tooMany(60) });
  world.drawing.progress(60);
  await world.reads('60 %');
  expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(60_000);
  expect(requests(world, calls.reply)).toHaveLength(2);
});

test('a temporary 401 does not keep the bot from its own edit of the reply', async () => {
  const world = await startedJob();
  await world.outliveToken();
  world.discord.faults.add({ next: oneCall.editFiles, effect: refusal(401, 0, '401: Unauthorized') });
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(requests(world, calls.editUpload)).toHaveLength(2);
});

test('while Discord fails for long the picture is kept, and comes by itself when Discord is back', async () => {
  const world = await startedJob();
  world.discord.faults.add({ every: calls.any, effect: { status: 503 } });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  world.clock.advance(11 * MINUTE_MS);
  await world.logs('Discord failed for too long');
  world.discord.faults.clear();
  await expect.poll(() => world.clock.sleeps()).toContain(5 * MINUTE_MS);
  world.clock.advance(6 * MINUTE_MS);
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.seen()).toHaveLength(1);
});

test.each([
  ['in a server without the bot', OTHER_CHANNEL],
  ['in a private channel', PRIVATE_CHANNEL],
])('an app of the user answers %s while its token lives, and directly after that', async (_, channelId) => {
  const quick = await startedJob({}, { channelId });
  await quick.drawing.finish();
  expect((await quick.ended(quick.reply.id)).attachments).toHaveLength(1);
  const slow = await startedJob({}, { channelId });
  await slow.outliveToken();
  await slow.drawing.finish();
  await expect.poll(() => slow.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  // Discord counts what it forbids, and shuts out who asks for too much of it.
  expect(slow.discord.requests.list(({ status }) => status === 403)).toEqual([]);
  expect(slow.said()).toContain(en.handover.slowPrivate);
});

test('what the bot may not do here is named before anything is paid', async () => {
  const world = await botWorld();
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.AttachFiles | PermissionFlagsBits.EmbedLinks);
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  expect(answer).toMatchObject({ kind: 'message', message: { flags: MessageFlags.Ephemeral } });
  expect(answer.kind === 'message' && answer.message.content).toMatch(
    /\*\*Attach Files\*\* and \*\*Embed Links\*\*/,
  );
  expect(await world.service.balance()).toBe(100);
});

test('a process that is stopped while a picture is delivered leaves it to the next, which shows it once', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: 'answer-lost' });
  world.discord.faults.add({ every: calls.upload, effect: 'hang' });
  await world.drawing.finish();
  await expect.poll(() => world.seen()).toHaveLength(1);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  await world.logs('the outcome had arrived already');
  expect(world.seen()).toHaveLength(1);
  expect(world.engine.begun).toHaveLength(1);
});

/** A job whose last edit of progress was given up after 15 seconds, while Discord takes 40 to carry it out, or hangs. */
async function givenUpProgress(effect: 'hang' | { slowMs: number } = { slowMs: 40_000 }) {
  const world = await startedJob({}, { clock: createFastClock({ factor: 1 }) });
  world.discord.faults.add({ next: oneCall.replyWords, effect });
  world.drawing.progress(80);
  const isUnanswered = (asked: Parameters<typeof calls.reply>[0] & { status: number | null }) =>
    calls.reply(asked) && asked.status === null;
  await expect.poll(() => world.discord.requests.list(isUnanswered)).toHaveLength(1);
  world.clock.advance(15_000);
  await world.logs('a progress edit failed');
  /** What is left of the minute, which the bot sleeps through. */
  const isLeft = (ms: number) => ms > 25_000 && ms < 45_000 && ms !== 40_000;
  const botSleeps = () => expect.poll(() => world.clock.sleeps().some(isLeft)).toBe(true);
  return {
    world,
    /** So much time passes that the edit cannot be carried out any more. */
    async minutePasses(): Promise<void> {
      await botSleeps();
      world.clock.advance(60_000);
    },
    /** It is carried out before that. */
    async comesLate(): Promise<void> {
      await botSleeps();
      world.clock.advance(25_000);
      await world.reads('80 %');
      world.clock.advance(60_000);
    },
  };
}
