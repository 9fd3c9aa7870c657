import { readFile } from 'node:fs/promises';
import type { Diary } from './diary.ts';

/** Writes into the diary what the bots have logged about single jobs and interactions. */
export async function copyLog(path: string, diary: Diary): Promise<void> {
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const { time = '', msg, job, interaction, way, err } = parsed(line);
    const about = job ?? interaction;
    if (about === undefined) continue;
    const details = [way, err?.message].filter((detail) => detail !== undefined);
    diary.note('bot', [msg, ...details].join(': '), [about], Date.parse(time));
  }
}

interface Line {
  time?: string;
  msg?: string;
  job?: string;
  interaction?: string;
  way?: string;
  err?: { message?: string };
}

/** The last line of a bot that is killed may be half a line. */
function parsed(line: string): Line {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
