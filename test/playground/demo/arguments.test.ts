import { expect, test } from 'vitest';
import { imagine } from '../../../commands/imagine.ts';
import { readDemoArguments } from '../../../src/playground/demo/arguments.ts';

function read(...args: string[]) {
  const demo = readDemoArguments(args, imagine.data.options ?? []);
  if ('help' in demo) throw new Error(demo.help);
  return demo;
}

test('words without quotes are one prompt', () => {
  expect(read('a', 'red', 'fox')).toEqual({ options: { prompt: 'a red fox' }, out: undefined });
});

test('each option of the command has a flag, and numbers are read as numbers', () => {
  const { options, out } = read(
    'fox',
    '--negative-prompt',
    'snow',
    '--steps',
    '12',
    '--cfg',
    '6.5',
    '--out',
    'fox.png',
  );
  expect(options).toEqual({ prompt: 'fox', negative_prompt: 'snow', steps: 12, cfg: 6.5 });
  expect(out).toBe('fox.png');
});

test.each([[], ['  '], ['--steps', '12']])(
  'without a prompt (%j) that is the reason, with the usage below',
  (...args) => {
    expect(() => read(...args)).toThrow(/^Say what to draw: there is no prompt\.\n\nUsage:/);
  },
);

test('an unknown flag and a number that is none are explained, with the usage below', () => {
  expect(() => read('fox', '--colour', 'red')).toThrow(/--colour[\s\S]*Usage:/);
  expect(() => read('fox', '--sizee', '3')).toThrow(/^There is no --sizee\. Did you mean --size\?\n\nUsage:/);
  expect(() => read('fox', '--size')).toThrow(/^--size takes a value\.\n\nUsage:/);
  expect(() => read('fox', '--steps', 'many')).toThrow(/--steps is a number, not many[\s\S]*Usage:/);
});

test('the usage names presets and workflows', () => {
  const demo = readDemoArguments(['--help'], imagine.data.options ?? []);
  const help = 'help' in demo ? demo.help : '';
  expect(help).toMatch(/^Sizes: square, portrait, landscape/m);
  expect(help).toMatch(/^Workflows: default, anime, z-image, rr3$/m);
  expect(help).not.toContain('graph');
});
