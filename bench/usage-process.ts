import type { Usage } from './bot.ts';
import { answerQuestions } from './forked.ts';

/** Loaded before a program (`node --expose-gc --import`): tells the process that forked it what the program uses. */
answerQuestions((): Usage => {
  const { user, system } = process.cpuUsage();
  const resident = process.memoryUsage.rss();
  gc?.();
  return { cpuMs: (user + system) / 1_000, heap: process.memoryUsage().heapUsed, resident };
});
