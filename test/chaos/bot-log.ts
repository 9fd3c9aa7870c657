import { readFile } from 'node:fs/promises';
import type { Trace } from './trace.ts';

/** Adds to the trace what the bots have logged about single jobs and interactions. */
export async function copyLog(path: string, trace: Trace): Promise<void> {
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const { time = '', msg, job, interaction, target, err } = parsed(line);
    const id = job ?? interaction;
    if (id === undefined) continue;
    const details = [target, err?.message].filter((detail) => detail !== undefined);
    trace.record('bot', [msg, ...details].join(': '), [id], Date.parse(time));
  }
}

interface Line {
  time?: string;
  msg?: string;
  job?: string;
  interaction?: string;
  target?: string;
  err?: { message?: string };
}

/** The last line of a killed bot may be cut off. */
function parsed(line: string): Line {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
