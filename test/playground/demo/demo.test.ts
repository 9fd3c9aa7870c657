import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeComfy, FAKE_MODELS } from '../../../packages/image-service/test/support/fake-comfyui.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../../packages/image-service/test/support/fake-openai.ts';
import { runDemo } from '../../../src/playground/demo/demo.ts';

const NO_MODELS = Object.fromEntries(Object.keys(FAKE_MODELS).map((folder) => [folder, []]));

const demo = (...args: string[]) => demoWith({}, ...args);

async function demoWith(settings: Record<string, string>, ...args: string[]) {
  const folder = await temporaryFolder();
  const lines: string[] = [];
  const running = runDemo({
    args: ['--out', join(folder, 'picture.png'), ...args],
    settings,
    print: (line) => void lines.push(line),
    signal: AbortSignal.timeout(WAIT_TIMEOUT_MS),
    paceMs: 0,
  });
  return { folder, lines, running };
}

test('every edit is a line that says how far it is, and the picture is a PNG file', async () => {
  const { folder, lines, running } = await demo('a red fox in the snow', '--size', '256x128', '--seed', '7');
  await running;
  expect(lines[1]).toBe('Member: /imagine a red fox in the snow');
  const edits = lines.filter((line) => /^ +\d+\.\d s {2}(Sending|[▰▱]+ \d+ %|In the queue)/.test(line));
  expect(edits.length).toBeGreaterThan(0);
  expect(lines.at(-1)).toContain('(256 × 128');
  const picture = await readFile(join(folder, 'picture.png'));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
});

test('several pictures become several files, and what a sketch does not show is said once', async () => {
  const { folder, lines, running } = await demo('a boat and a yeti', '--size', '128x128', '--count', '2');
  await running;
  const notes = lines.filter((line) => line.includes('missing:'));
  expect(notes).toEqual([expect.stringMatching(/Sketch · missing: yeti$/)]);
  expect(lines.at(-1)).toBe(notes[0]);
  expect((await readdir(folder)).sort()).toEqual(['picture-2.png', 'picture.png']);
});

test('who is set to draw draws, and nothing is kept where the bot keeps things', async () => {
  const openai = await createFakeOpenai();
  const { running, folder } = await demoWith(
    {
      HOSTED_MODEL: 'openai-compatible:sd-turbo',
      HOSTED_API_KEY: OPENAI_KEY,
      HOSTED_BASE_URL: openai.baseUrl,
      SERVICE_DATABASE_URL: 'sqlite:///proc/service.sqlite',
      PICTURES_URL: 'file:///proc/pictures',
    },
    'a red fox',
    '--size',
    '256x128',
  );
  await running;
  expect(openai.requests).toMatchObject([{ model: 'sd-turbo', prompt: 'a red fox', size: '256x128' }]);
  expect(await readdir(folder)).toEqual(['picture.png']);
});

test('that who is set to draw cannot is said once, although a sketch comes', async () => {
  const comfy = await createFakeComfy({ models: NO_MODELS });
  const { lines, running } = await demoWith(
    { COMFYUI_URL: comfy.url },
    'a fox',
    '--size',
    '128x128',
    '--count',
    '2',
  );
  await running;
  expect(lines.filter((line) => line.includes('not offered'))).toEqual([
    expect.stringMatching(
      /^The workflow default is not offered\. There is no model .+ Check COMFYUI_MODELS\.$/,
    ),
  ]);
  expect(lines.at(-1)).toContain('(128 × 128');
});

test('--help says how to use it, and draws nothing', async () => {
  const { folder, lines, running } = await demo('a boat', '--help');
  await running;
  expect(lines).toEqual([expect.stringMatching(/^Usage: darkroom demo[\s\S]+--steps <value>[\s\S]+--help/)]);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['/dev/null/fox.png', '/'])(
  '--out %s, where no picture can be written, is said before one is drawn',
  async (out) => {
    const { lines, running } = await demo('a boat', '--out', out);
    await expect(running).rejects.toThrow(`No picture can be written to ${out}: `);
    expect(lines).toEqual([]);
  },
);

test('a folder that cannot be written is said before a picture is drawn', async () => {
  const former = process.cwd();
  process.chdir('/proc');
  onTestFinished(() => process.chdir(former));
  const lines: string[] = [];
  const running = runDemo({
    args: ['a boat'],
    settings: {},
    print: (line) => void lines.push(line),
    signal: AbortSignal.timeout(WAIT_TIMEOUT_MS),
    paceMs: 0,
  });
  await expect(running).rejects.toThrow('No picture can be written to /proc/');
  expect(lines).toEqual([]);
});

test('what the bot refuses is the reason that is given', async () => {
  const { running, folder } = await demo('a boat', '--size', '9x9');
  await expect(running).rejects.toThrow(/^There is no 9x9\. size can be a preset/);
  expect(await readdir(folder)).toEqual([]);
});

test('what Discord’s client refuses is named by its flag', async () => {
  const { running } = await demo('a boat', '--steps', '900');
  await expect(running).rejects.toThrow(/^--steps: /);
});

test('an interruption ends it with the reason of the signal', async () => {
  const interrupted = new AbortController();
  const running = runDemo({
    args: ['a boat'],
    settings: {},
    print: () => interrupted.abort(new Error('Stopped.')),
    signal: interrupted.signal,
    paceMs: 60_000,
  });
  await expect(running).rejects.toThrow('Stopped.');
});
