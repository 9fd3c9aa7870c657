import { afterEach, expect, test, vi } from 'vitest';
import { ownCommand } from '../src/own-command.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['darkroom start', 'npm start', ['start']],
  ['darkroom setup', 'npm run setup', ['setup']],
  ['darkroom vault check', 'npm run vault -- check', ['vault', 'check']],
  ['darkroom store', 'npm run store --', ['store', '']],
] as const)('what is typed is %s, and %s where npm has started this', (typed, byNpm, command) => {
  const [program, args] = command;
  vi.stubEnv('npm_lifecycle_event', '');
  expect(ownCommand(program, args)).toBe(typed);
  vi.stubEnv('npm_lifecycle_event', 'doctor');
  expect(ownCommand(program, args)).toBe(byNpm);
});
