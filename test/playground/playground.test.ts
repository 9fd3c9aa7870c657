import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { FIRST_CHANNEL, MEMBER } from '../../src/playground/demo-world.ts';
import { openPlayground } from '../support/playground.ts';

test('with COMFYUI_URL the pictures of the playground come from ComfyUI', async () => {
  const comfy = await createFakeComfy();
  const playground = await openPlayground({ env: { COMFYUI_URL: comfy.url } });
  onTestFinished(playground.close);
  const member = playground.discord().as(MEMBER.id);
  const reply = messageOf(await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a fox' }));
  const shown = await sees(member, ({ id, attachments }) => id === reply.id && attachments.length > 0);
  expect(shown.attachments).toHaveLength(1);
  expect(comfy.submitted.map(({ graph }) => graph.positive?.inputs.text)).toEqual(['a fox']);
});

test('after a first start that failed late the next one still links the members’ keys', async () => {
  const playground = await openPlayground();
  onTestFinished(playground.close);
  await playground.stop();
  const { folder } = playground;
  await rm(folder, { recursive: true });
  const inTheWay = join(folder, 'darkroom.sqlite');
  await mkdir(inTheWay, { recursive: true });
  await expect(playground.restart()).rejects.toThrow('darkroom.sqlite');
  await rm(inTheWay, { recursive: true });
  await playground.restart();
  const member = playground.discord().as(MEMBER.id);
  const reply = messageOf(await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a fox' }));
  await sees(member, ({ id, attachments }) => id === reply.id && attachments.length > 0);
});

test('whoever starts a second playground is told where the first one is', async () => {
  const playground = await openPlayground();
  onTestFinished(playground.close);
  await expect(playground.restart()).rejects.toThrow(`A playground is already running: ${playground.url}`);
  await playground.stop();
  await playground.restart();
});

test('a playground that cannot lock its folder says why, and of no other one', async () => {
  const playground = await openPlayground();
  onTestFinished(playground.close);
  await playground.stop();
  const lock = join(playground.folder, 'playground.lock');
  await rm(lock, { force: true });
  await mkdir(lock);
  await expect(playground.restart()).rejects.toThrow(/^The store .*playground cannot be opened: /);
});
