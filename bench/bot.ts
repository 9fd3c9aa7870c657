import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { limitEnvironment } from '../src/limits/limit-environment.ts';
import type { DiscordAddress } from './discord.ts';
import { forkFile } from './forked.ts';
import type { Memory } from './memory.ts';

/** What `usage-process.ts` is asked. */
export interface BotQuestion {
  ask: 'cpuMs' | 'memory' | 'startProfile' | 'stopProfile';
}

export type BenchBot = Awaited<ReturnType<typeof startBot>>;

interface BotOptions {
  discord: Pick<DiscordAddress, 'apiUrl' | 'token'>;
  /** Of the image service. */
  imageUrl: string;
  /** For its store; the next process on the same folder goes on there. */
  folder: string;
  env?: Readonly<Record<string, string>>;
}

/** What one member asks for here, no bot allows one. */
const NO_LIMITS = Object.fromEntries(
  Object.entries(limitEnvironment.shape)
    .filter(([, setting]) => setting.safeParse('none').success)
    .map(([name]) => [name, 'none']),
);

/** The built bot as `npm start` runs it on a server, in a process of its own. Resolves once it is on Discord. */
export async function startBot({ discord, imageUrl, folder, env }: BotOptions) {
  const child = forkFile(new URL('../src/main.js', import.meta.url), {
    execArgv: ['--expose-gc', '--import', new URL('./usage-process.js', import.meta.url).href],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      IMAGE_API_URL: imageUrl,
      IMAGE_API_KEY: `sk-${'0'.repeat(48)}`,
      ...NO_LIMITS,
      STORE_URL: `sqlite://${join(folder, 'bot.sqlite')}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await child.says('the bot is on Discord');
  const ask = <Answer>(what: BotQuestion['ask']) => child.ask<Answer>({ ask: what } satisfies BotQuestion);
  return {
    pid: child.pid,
    /** CPU that it has used since its start. */
    cpuMs: () => ask<number>('cpuMs'),
    /** Collects garbage, which costs some of the CPU that is counted. */
    memory: () => ask<Memory>('memory'),
    /** The CPU profile of what it does while `work` is done. */
    async profile(work: () => Promise<void>): Promise<Profiler.Profile> {
      await ask('startProfile');
      await work();
      return ask('stopProfile');
    },
    /** SIGTERM, as an operator would, unless told otherwise. */
    stop: (signal: NodeJS.Signals = 'SIGTERM') => child.stop(signal),
  };
}
