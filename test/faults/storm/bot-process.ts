import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromBot, StormBot, ToBot } from './protocol.ts';

/** Compiled, because a process that is killed 200 times has to start fast. */
const compiled = import.meta.url.endsWith('.js') ? './bot.js' : '../../../dist/test/faults/storm/bot.js';
const BOT_FILE = fileURLToPath(new URL(compiled, import.meta.url));

/** The bot's process, with the questions that a storm asks it. */
export function startBot(config: StormBot) {
  const child = fork(BOT_FILE, [JSON.stringify(config)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
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
    tell,
    async unfinished(): Promise<string[]> {
      const answer = new Promise<string[]>((resolve) => {
        listen = (message) => 'unfinished' in message && resolve(message.unfinished);
      });
      tell({ ask: 'unfinished' });
      const dead = ended.then((): never => {
        throw new Error('the bot ended by itself');
      });
      return Promise.race([answer, dead]);
    },
    async kill(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
