import { MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { everyJob } from '../support/job-list.ts';
import { startedJob } from '../support/started-job.ts';

type StartedJob = Awaited<ReturnType<typeof startedJob>>;

/** Presses Cancel under the reply of a job, and what is answered. */
async function pressCancel({ member, reply }: StartedJob, user = member) {
  const shown = user.message(reply.id);
  if (!shown) throw new Error('the reply is gone');
  return settled(await user.press(reply.id, buttonOf(shown, en.cancel.button)), user);
}

const isGone = ({ member, reply }: StartedJob) => member.message(reply.id) === undefined;

test('its member cancels it under its reply, which is gone then, and reads what it cost', async () => {
  const world = await startedJob();
  expect((await pressCancel(world)).content).toBe('Cancelled. It has cost 0.4 credits.');
  await expect.poll(() => isGone(world)).toBe(true);
  expect(await world.service.balance()).toBe(99.6);
  expect(world.member.messages(CHANNEL).every(({ flags }) => Number(flags) & MessageFlags.Ephemeral)).toBe(
    true,
  );
  expect((await everyJob(world.member))[0]?.text).toContain(en.jobs.state.cancelled);
});

test('what it cost a shared key moderators see on that day, also where nothing else was made', async () => {
  const world = await startedJob();
  await pressCancel(world);
  await expect
    .poll(async () => plain((await run(world.as(MODERATOR), 'balance', { member: MEMBER })).content))
    .toContain(plain(en.balance.today(0, 0, 0.4)));
});

test('a moderator cancels it, which its member alone is told, and the log of the server says so', async () => {
  const world = await startedJob();
  const moderator = world.as(MODERATOR);
  await pressCancel(world, moderator);
  const told = await world.reads('A moderator cancelled **a red fox**. It has cost 0.4 credits.');
  expect(Number(told.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  await expect.poll(() => isGone(world)).toBe(true);
});

test('a restart before its reply is deleted tells its member once that is gone, and /jobs says who it was', async () => {
  const world = await startedJob();
  const deletion = ({ method, path }: { method: string; path: string }) =>
    method === 'DELETE' && path.startsWith('/webhooks/');
  world.discord.faults.add({ every: deletion, effect: { status: 503 } });
  await pressCancel(world, world.as(MODERATOR));
  await expect.poll(() => world.discord.requests.list(deletion).length).toBeGreaterThan(0);
  await world.stopBot();
  world.discord.faults.clear();
  await world.startBot();
  await expect.poll(() => isGone(world)).toBe(true);
  await world.reads('A moderator cancelled **a red fox**.');
  const told = world.member.messages(CHANNEL).filter(({ content }) => content.startsWith('A moderator'));
  expect(told).toHaveLength(1);
  expect((await everyJob(world.member))[0]?.text).toContain(en.cancel.moderated);
});

test('two presses at once cancel once, and both are answered', async () => {
  const world = await startedJob();
  const answers = await Promise.all([pressCancel(world), pressCancel(world)]);
  expect(answers.map(({ content }) => content)).toEqual(Array(2).fill('Cancelled. It has cost 0.4 credits.'));
  expect(await world.service.balance()).toBe(99.6);
});

test('who is neither its member nor a moderator is told so, and it goes on', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  messageOf(await world.as(MODERATOR).invoke(CHANNEL, 'imagine', { prompt: 'a blue fox' }));
  const drawing = await engine.next();
  const shown = await world.reads('a blue fox');
  const pressed = await world.member.press(shown.id, buttonOf(shown, en.cancel.button));
  expect(pressed).toMatchObject({ message: { content: en.cancel.notYours } });
  await drawing.finish();
  expect((await world.ended(shown.id)).attachments).toHaveLength(1);
});

test('a private one is cancelled likewise', async () => {
  const world = await startedJob({ private: true });
  expect((await pressCancel(world)).content).toBe('Cancelled. It has cost 0.4 credits.');
  await expect.poll(() => isGone(world)).toBe(true);
});

test('after a restart the button still works, and a reply whose token is dead is deleted by the bot itself', async () => {
  const world = await startedJob();
  world.clock.advance(16 * 60_000);
  await world.restartBot();
  expect((await pressCancel(world)).content).toBe('Cancelled. It has cost 0.4 credits.');
  await expect.poll(() => isGone(world)).toBe(true);
});
