import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FromBot, StormBot, ToBot, Unfinished } from './protocol.ts';

/** Compiled, because a process that is killed 200 times has to start fast. */
const compiled = import.meta.url.endsWith('.js') ? './bot.js' : '../../../dist/test/faults/storm/bot.js';
const BOT_FILE = fileURLToPath(new URL(compiled, import.meta.url));

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it has written to standard error. */
  words: string;
}

export type BotProcess = ReturnType<typeof forkBot>;

/** A process in which the bot has been loaded and waits for its beginning, with the questions that a storm asks it. */
export function forkBot() {
  const child = fork(BOT_FILE, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const words = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'close').then(
    async ([code, signal]): Promise<End> => ({ code, signal, words: await words }),
  );
  let listen: (message: FromBot) => void = () => undefined;
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.on('message', (message: FromBot) => {
    if ('ready' in message) isReady();
    else listen(message);
  });
  child.on('error', () => undefined);
  const tell = (message: ToBot) => {
    if (child.connected) child.send(message, () => undefined);
  };
  return {
    ready,
    ended,
    begin: (config: StormBot) => tell({ begin: config }),
    leap: (ms: number) => tell({ leap: ms }),
    async unfinished(): Promise<Unfinished[]> {
      const answer = new Promise<Unfinished[]>((resolve) => {
        listen = (message) => 'unfinished' in message && resolve(message.unfinished);
      });
      tell({ ask: 'unfinished' });
      const dead = ended.then(({ words }): never => {
        throw new Error(`the bot ended by itself: ${words}`);
      });
      return Promise.race([answer, dead]);
    },
    /** Sends a signal and waits for the end. */
    end(signal: 'SIGKILL' | 'SIGTERM'): Promise<End> {
      child.kill(signal);
      return ended;
    },
  };
}
