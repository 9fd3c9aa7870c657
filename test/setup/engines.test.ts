import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@darkroom/process';
import { createFakeClock } from '@darkroom/time/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { bytes, html, refusal, task } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { createFakeHorde, HORDE_KEY } from '../../packages/image-service/test/support/fake-horde.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../packages/image-service/test/support/fake-openai.ts';
import { createFakeSdcpp } from '../../packages/image-service/test/support/fake-sdcpp.ts';
import { createFakeWebui } from '../../packages/image-service/test/support/fake-webui.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { BOT } from '../../packages/local-discord/test/support/local-discord.ts';
import { wordsIn } from '../../src/operator/words/words.ts';
import { drawTestPicture } from '../../src/setup/test-picture.ts';
import { openUnattendedWorld } from '../support/setup-world.ts';

/** Sets up by these answers alone, while `draw` does what the engine's machine would. */
async function setsUp(
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> },
  draw: () => Promise<unknown> = async () => undefined,
) {
  const { folder, run, settings, token, close } = await openUnattendedWorld();
  onTestFinished(close);
  const [{ code, output }] = await Promise.all([
    run([...args, '--picture'], { DISCORD_TOKEN: token, ...env }),
    draw(),
  ]);
  expect(output).toContain(`The test picture is ${join(folder, 'data/test-picture.png')}`);
  expect(code).toBe(0);
  const { width } = await sharp(await readFile(join(folder, 'data', 'test-picture.png'))).metadata();
  expect(width).toBe(512);
  return { output, written: await settings() };
}

test('a ComfyUI draws the test picture, and is what the bot draws with', async () => {
  const comfy = await createFakeComfy();
  const { written } = await setsUp({ args: ['--comfyui-url', comfy.url] });
  expect(written.COMFYUI_URL).toBe(comfy.url);
});

test('a WebUI with a name and a password draws it, and nobody reads the password', async () => {
  const webui = await createFakeWebui({ auth: 'me:top@secret' });
  const { output, written } = await setsUp(
    { args: ['--run', 'docker'], env: { SDWEBUI_URL: webui.url } },
    async () => (await webui.request()).finish(),
  );
  expect(written.SDWEBUI_URL).toBe(webui.url.replace('127.0.0.1', 'host.docker.internal'));
  expect(output).not.toContain('secret@');
});

test('a stable-diffusion.cpp draws it', async () => {
  const sdcpp = await createFakeSdcpp();
  const { written } = await setsUp({ env: { SDWEBUI_URL: sdcpp.url } }, async () =>
    sdcpp.finish(await sdcpp.job()),
  );
  expect(written.SDWEBUI_URL).toBe(sdcpp.url);
});

test('a server that speaks as OpenAI draws it, and its key is written down and never shown', async () => {
  const openai = await createFakeOpenai();
  const { output, written } = await setsUp({
    args: ['--hosted-model', 'openai-compatible:sd-turbo', '--hosted-base-url', `${openai.url}/v1`],
    env: { HOSTED_API_KEY: OPENAI_KEY },
  });
  expect(written).toMatchObject({ HOSTED_MODEL: 'openai-compatible:sd-turbo', HOSTED_API_KEY: OPENAI_KEY });
  expect(output).not.toContain(OPENAI_KEY);
});

test('volunteers of the AI Horde draw it', async () => {
  const horde = await createFakeHorde();
  const { output, written } = await setsUp(
    { env: { AI_HORDE_KEY: HORDE_KEY, AI_HORDE_URL: horde.url } },
    async () => horde.finish(await horde.request()),
  );
  expect(written.AI_HORDE_KEY).toBe(HORDE_KEY);
  expect(output).not.toContain(HORDE_KEY);
});

test('another image service draws it, and what it cost is told', async () => {
  const service = await serviceWorld({ credits: 8.3 });
  const { output, written } = await setsUp({
    args: ['--image-api-url', service.url],
    env: { IMAGE_API_KEY: service.key },
  });
  expect(output).toContain('and cost 1 credit.');
  expect(written.IMAGE_API_KEY).toBe(service.key);
  expect(output).not.toContain(service.key);
});

test('a service that lags, stumbles and is late with address and picture draws it', async () => {
  const service = await createHostileService();
  const png = await sharp({ create: { width: 512, height: 512, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const completed = { status: 'completed', progress: 100 };
  service.script(
    'status',
    refusal(404, 'no such task'),
    html(502),
    task(completed),
    task({ ...completed, result: { image_url: `${service.baseUrl}/pictures/1.png` } }),
  );
  service.script('picture', html(404), bytes(png, 'image/png'));
  await setsUp({ args: ['--image-api-url', service.baseUrl], env: { IMAGE_API_KEY: A_KEY } });
  expect(service.requests('submit')).toHaveLength(1);
});

test.each([
  ['may have cost credits where nobody knows whether it was taken', 'submit', html(502), true],
  ['may have cost credits once it was taken', 'status', refusal(401, 'no such key'), true],
  ['is free where the service says that it failed', 'status', task({ status: 'failed', error: 'x' }), false],
] as const)('a test picture that did not come %s', async (_, route, answer, mayHaveCost) => {
  const service = await createHostileService();
  service.script(route, answer);
  const { run, token, close } = await openUnattendedWorld();
  onTestFinished(close);
  const { output } = await run(['--image-api-url', service.baseUrl, '--picture'], {
    DISCORD_TOKEN: token,
    IMAGE_API_KEY: A_KEY,
  });
  expect(output).toContain('There is no test picture: ');
  expect(output.includes('It may have cost credits all the same.')).toBe(mayHaveCost);
});

test('a service that takes it and is away from then on is named as the reason, and may have cost credits', async () => {
  const service = await createHostileService();
  service.script('status', html(502));
  const clock = createFakeClock();
  const drawn = drawTestPicture(
    {
      DISCORD_TOKEN: `${Buffer.from(BOT).toString('base64url')}.b.c`,
      IMAGE_API_URL: service.baseUrl,
      IMAGE_API_KEY: A_KEY,
    },
    {
      file: join(tmpdir(), 'never-drawn'),
      words: wordsIn('en'),
      onProgress: () => undefined,
      onWait: () => undefined,
      signal: new AbortController().signal,
      clock,
    },
  ).catch(messageOf);
  let said: unknown;
  void drawn.then((message) => {
    said = message;
  });
  const ends = async () => {
    await clock.advance(8_000);
    return said;
  };
  await expect.poll(ends, { interval: 1 }).toBeDefined();
  expect(said).toContain('no picture within 15 minutes: no good answer (broken).');
  expect(said).toContain('It may have cost credits all the same.');
});
