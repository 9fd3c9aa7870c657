import { Session } from 'node:inspector/promises';
import type { BotQuestion } from './bot.ts';
import { answerQuestions } from './forked.ts';
import { memory } from './memory.ts';

/**
 * Loaded before a program (`node --expose-gc --import`): tells the process that forked it what the program uses, and
 * where.
 */
const session = new Session();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function startProfile(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}

async function stopProfile(): Promise<unknown> {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return profile;
}

const ANSWERS = { cpuMs, memory, startProfile, stopProfile };

answerQuestions(({ ask }: BotQuestion) => ANSWERS[ask]());
