import { resolve } from 'node:path';
import { SHORT_RUN, type StartedProcess, startCommand } from '@darkroom/testing';

/** The program that is built. */
export const DARKROOM = resolve('dist/bundle/darkroom.js');

/** Runs a program of `darkroom` with this environment and no other, its settings and what it keeps in `home`. */
export const startDarkroom = (
  [program, home]: [program: string, home: string],
  env: Readonly<Record<string, string>>,
  { args = [], ...options }: { args?: readonly string[]; uid?: number } = {},
): StartedProcess =>
  startCommand(
    [process.execPath, ...SHORT_RUN, DARKROOM, program, ...args],
    { DARKROOM_HOME: home, ...env },
    options,
  );
