import { expect, test } from 'vitest';
import { imagine } from '../../../commands/imagine.ts';
import { readDemoArguments } from '../../../src/playground/demo/arguments.ts';

async function read(...args: string[]) {
  const demo = await readDemoArguments(args, imagine.data.options ?? []);
  if ('help' in demo) throw new Error(demo.help);
  return demo;
}

test('words without quotes are one prompt', async () => {
  expect(await read('a', 'red', 'fox')).toEqual({ options: { prompt: 'a red fox' }, out: undefined });
});

test('each option of the command has a flag, and numbers are read as numbers', async () => {
  const { options, out } = await read(
    'fox',
    '--negative-prompt',
    'snow',
    '--steps',
    '12',
    '--cfg',
    '6.5',
    '--seed',
    '-1',
    '--out',
    'fox.png',
  );
  expect(options).toEqual({ prompt: 'fox', negative_prompt: 'snow', steps: 12, cfg: 6.5, seed: -1 });
  expect(out).toBe('fox.png');
});

test.each([[], ['  '], ['--steps', '12']])(
  'without a prompt (%j) that is the reason, with the usage below',
  async (...args) => {
    await expect(read(...args)).rejects.toThrow(/^Say what to draw: there is no prompt\.\n\nUsage:/);
  },
);

test('an unknown flag and a number that is none are explained, with the usage below', async () => {
  await expect(read('fox', '--colour', 'red')).rejects.toThrow(/--colour[\s\S]*Usage:/);
  await expect(read('fox', '--sizee', '3')).rejects.toThrow(
    /--sizee.*\n\(Did you mean --size\?\)[\s\S]*Usage:/,
  );
  await expect(read('fox', '--size')).rejects.toThrow(/--size <value>' argument missing[\s\S]*Usage:/);
  await expect(read('fox', '--steps', 'many')).rejects.toThrow(/'many'.*It is not a number\.[\s\S]*Usage:/);
});

test('the usage names presets and workflows', async () => {
  const demo = await readDemoArguments(['--help'], imagine.data.options ?? []);
  const help = 'help' in demo ? demo.help : '';
  expect(help).toMatch(/^Sizes: square, portrait, landscape/m);
  expect(help).toMatch(/^Workflows: default, anime, z-image, rr3$/m);
  expect(help).not.toContain('graph');
});
