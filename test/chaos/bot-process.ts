import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { SHORT_RUN } from '@darkroom/testing';
import type { BotConfig, FromBot, ToBot, Unfinished } from './protocol.ts';

/** Bundled: a process that is killed 200 times has to start fast. */
const BOT_FILE = resolve('dist/test-bundle/bot.js');

/** How a process ended. */
interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export type BotProcess = ReturnType<typeof forkBot>;

/** A process that has loaded the bot and waits for `start`. */
export function forkBot() {
  // Without vitest's conditions, under which packages are sources that Node cannot load.
  const child = fork(BOT_FILE, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'], execArgv: [...SHORT_RUN] });
  const stderr = child.stderr ? text(child.stderr) : Promise.resolve('');
  const exited = once(child, 'close').then(
    async ([code, signal]): Promise<Exit> => ({ code, signal, stderr: await stderr }),
  );
  let onAnswer: (message: FromBot) => void = () => undefined;
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.on('message', (message: FromBot) => {
    if ('ready' in message) isReady();
    else onAnswer(message);
  });
  child.on('error', () => undefined);
  const send = (message: ToBot) => {
    if (child.connected) child.send(message, () => undefined);
  };
  return {
    ready,
    exited,
    start: (config: BotConfig) => send({ start: config }),
    advance: (ms: number) => send({ advance: ms }),
    async unfinished(): Promise<Unfinished[]> {
      const answer = new Promise<Unfinished[]>((resolve) => {
        onAnswer = (message) => 'unfinished' in message && resolve(message.unfinished);
      });
      send({ ask: 'unfinished' });
      const crashed = exited.then(({ stderr }): never => {
        throw new Error(`the bot crashed: ${stderr}`);
      });
      return Promise.race([answer, crashed]);
    },
    /** Sends a signal and waits until the process has exited. */
    kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit> {
      child.kill(signal);
      return exited;
    },
  };
}
