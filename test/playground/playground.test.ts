import { expect, onTestFinished, test } from 'vitest';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { FIRST_CHANNEL, MEMBER } from '../../src/playground/demo-world.ts';
import { openPlayground } from '../support/playground.ts';

test('with COMFYUI_URL the pictures of the playground come from ComfyUI', async () => {
  const comfy = await createFakeComfy();
  const playground = await openPlayground({ env: { COMFYUI_URL: comfy.url } });
  onTestFinished(playground.close);
  const member = playground.discord().as(MEMBER.id);
  const reply = await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a fox' });
  if (reply.kind !== 'message') throw new Error(`answered with ${reply.kind}`);
  const shown = await sees(
    member,
    ({ id, attachments }) => id === reply.message.id && attachments.length > 0,
  );
  expect(shown.attachments).toHaveLength(1);
  expect(comfy.submitted.map(({ graph }) => graph.positive?.inputs.text)).toEqual(['a fox']);
});

test('whoever starts a second playground is told where the first one is', async () => {
  const playground = await openPlayground();
  onTestFinished(playground.close);
  await expect(playground.restart()).rejects.toThrow(`A playground is already running: ${playground.url}`);
  await playground.stop();
  await playground.restart();
});
