import { Session } from 'node:inspector/promises';
import type { BotQuestion, Usage } from './bot.ts';
import { answerQuestions } from './forked.ts';

/** Loaded before a program (`node --expose-gc --import`): tells the process that forked it what the program uses, and where. */
const session = new Session();

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const resident = process.memoryUsage.rss();
  gc?.();
  return { cpuMs: (user + system) / 1_000, heap: process.memoryUsage().heapUsed, resident };
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

answerQuestions(({ ask }: BotQuestion) => {
  if (ask === 'startProfile') return startProfile();
  return ask === 'stopProfile' ? stopProfile() : usage();
});
