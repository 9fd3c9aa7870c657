import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { answer } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { controlledEngine, endlessEngine } from '../../packages/image-service/test/support/engines.ts';
import { oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { askedToDelete, buttonOf, buttonRow, deleteBy } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { run } from '../support/ephemeral-reply.ts';

const seedOf = ({ attachments }: APIMessage) => /\d+/.exec(attachments[0]?.filename ?? '')?.[0];

test('Again makes another picture of the same words with a new seed', async () => {
  const world = await botWorld();
  const first = await world.imagined({ prompt: 'a red fox', seed: 7, size: '64x64' });
  const answered = messageOf(await world.member.press(first.id, buttonOf(first, 'Again')));
  const second = await world.ended(answered.id);
  expect(second.embeds[0]?.description).toBe('a red fox');
  expect(seedOf(second)).not.toBe(seedOf(first));
  expect(world.member.message(first.id)?.attachments).toHaveLength(1);
});

test('Again still works after the bot was restarted', async () => {
  const world = await botWorld();
  const first = await world.imagined({ prompt: 'a red fox', size: '64x64' });
  await world.restartBot();
  const answered = messageOf(await world.member.press(first.id, buttonOf(first, 'Again')));
  expect((await world.ended(answered.id)).attachments).toHaveLength(1);
});

test('Again with the id of a private picture of somebody else tells nothing of it', async () => {
  const world = await botWorld();
  const hidden = await world.imagined({ prompt: 'a red fox', private: true }, { user: world.as(MODERATOR) });
  const id = buttonOf(hidden, 'Again');
  const session = await world.login();
  const body = { content: 'forged', components: [buttonRow(id).toJSON()] };
  // Discord's answer is the message.
  const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const answered = messageOf(await world.member.press(message.id, id));
  expect(plain(answered.content)).toBe(en.actions.gone);
  await session.destroy();
});

test('Delete removes the picture for its member, also after a restart', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox' });
  await world.restartBot();
  await deleteBy(message, world.member);
  await expect.poll(() => world.member.message(message.id)).toBeUndefined();
});

test('a picture that is gone already is deleted without a mistake', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox' });
  const question = await askedToDelete(message, world.member);
  world.discord.world.deleteMessage(message.id);
  await world.member.press(question.id, buttonOf(question, 'Delete'));
  await world.reads(en.actions.deleted);
});

test('Delete asks first, and Keep keeps the picture', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox' });
  const question = await askedToDelete(message, world.member);
  expect(world.member.message(message.id)?.attachments).toHaveLength(1);
  await world.member.press(question.id, buttonOf(question, 'Keep'));
  await world.reads(en.actions.kept);
  expect(world.member.message(message.id)?.attachments).toHaveLength(1);
});

test('what was asked about one picture deletes no other', async () => {
  const world = await botWorld();
  const first = await world.imagined({ prompt: 'a red fox', count: 2 });
  const second = await world.imagined({ prompt: 'a blue fox', count: 2 });
  const question = await askedToDelete(first, world.member);
  await askedToDelete(second, world.member);
  await world.member.press(question.id, buttonOf(question, 'Delete'));
  await expect.poll(() => world.member.message(first.id)).toBeUndefined();
  expect(world.member.message(second.id)?.attachments).toHaveLength(2);
});

test('a moderator can delete the picture of a member', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox' });
  await deleteBy(message, world.as(MODERATOR));
  await expect.poll(() => world.member.message(message.id)).toBeUndefined();
});

test('a member cannot delete the picture of another', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  const message = await world.imagined({ prompt: 'a red fox', count: 2 }, { user: moderator });
  const answered = await world.member.invokeOn(CHANNEL, en.actions.menu.delete, message.id);
  expect(answered).toMatchObject({ kind: 'message', message: { content: en.refusal.notDeletable } });
  expect(world.member.message(message.id)).toBeDefined();
});

test('a job that is no longer wanted can be cancelled by /jobs, and its reply is gone', async () => {
  const world = await botWorld({ service: { engine: endlessEngine() } });
  const answered = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'an endless fox' }));
  await world.reads('Developing');
  const list = await run(world.member, 'jobs');
  await world.member.press(list.id, buttonOf(list, en.jobs.stop(1)));
  await world.reads(en.cancel.free);
  await expect.poll(() => world.member.message(answered.id)).toBeUndefined();
});

test('Cancel comes too late for a picture that is on its way, and says so', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const answered = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
  const drawing = await engine.next();
  drawing.progress(40);
  await world.reads('40 %');
  const list = await run(world.member, 'jobs');
  world.discord.faults.add({ next: oneCall.replyFiles, effect: { status: 503 }, times: 3 });
  await drawing.finish();
  await world.logs('a message could not be sent');
  const pressed = await world.member.press(list.id, buttonOf(list, en.jobs.stop(1)));
  expect(pressed).toMatchObject({ message: { content: en.cancel.tooLate } });
  expect((await world.ended(answered.id)).attachments).toHaveLength(1);
});

test('where the service cannot end a task, the member is told that it may still be charged', async () => {
  const service = await createHostileService();
  service.script(
    'status',
    answer({ id: '7', status: 'processing', created_at: null, result: null, progress: 10 }),
  );
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  const answered = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'an endless fox' }));
  await world.reads('10 %');
  const list = await run(world.member, 'jobs');
  await world.member.press(list.id, buttonOf(list, en.jobs.stop(1)));
  await world.reads(en.cancel.left);
  await expect.poll(() => world.member.message(answered.id)).toBeUndefined();
  expect(service.requests('cancel')).toHaveLength(1);
});

test('a picture that cannot be deleted stays as it is, and the member is told', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox' });
  const question = await askedToDelete(message, world.member);
  world.discord.faults.add({
    every: ({ method }) => method === 'DELETE',
    effect: { status: 403, body: { code: 50013, message: 'Missing Permissions' } },
  });
  await world.member.press(question.id, buttonOf(question, 'Delete'));
  await world.reads(en.actions.notDeleted);
  expect(world.member.message(message.id)?.attachments).toHaveLength(1);
});
