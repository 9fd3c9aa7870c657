import { systemClock } from '@darkroom/time';
import { pino } from 'pino';
import { describeWorld, type WorldDescription } from './describe-world.ts';
import type { Gateway } from './gateway/gateway.ts';
import { type Address, createLocalDiscord, type LocalDiscordOptions } from './local-discord.ts';
import type { Faults } from './rest/faults.ts';
import type { Requests } from './rest/requests.ts';
import type { State } from './state/state.ts';
import type { WorldControl } from './world-control.ts';

type UnstartedDiscord = ReturnType<typeof createLocalDiscord>;

export interface StartOptions
  extends WorldDescription,
    Omit<LocalDiscordOptions, 'clock' | 'log' | 'world'>,
    Partial<Pick<LocalDiscordOptions, 'clock' | 'log'>> {
  /** Instead of `bot` and `guild`: a whole world, with ids of its own. */
  world?: LocalDiscordOptions['world'];
  /** `127.0.0.1` when absent. */
  host?: string;
  /** A free port when absent. */
  port?: number;
  /** For routes of your own on the same port: called before it listens. */
  beforeListen?: (app: UnstartedDiscord['app']) => void | Promise<void>;
}

/** Without what only the parts of the local Discord need of each other. */
export interface LocalDiscord
  extends Omit<UnstartedDiscord, 'listen' | 'world' | 'gateway' | 'faults' | 'requests'>,
    Address,
    AsyncDisposable {
  /** Changes to the world while it runs: kicks, rights, deleted channels, AutoMod. */
  readonly world: WorldControl;
  readonly gateway: Omit<Gateway, 'deliver' | 'information' | 'stop'>;
  readonly faults: Pick<Faults, 'add' | 'clear'>;
  /** Every request that reached the REST API. */
  readonly requests: Pick<Requests, 'list' | 'clear'>;
  /** The id of a channel, role, server or user by its name. Throws where there is none, or more than one. */
  id(kind: 'channel' | 'role' | 'guild' | 'user', name: string): string;
}

/**
 * Starts Discord on your own machine: REST API v10, gateway v10, CDN and their rules. Tried with bots of discord.js,
 * Oceanic.js, Eris and Discordeno.
 *
 * @example
 * await using discord = await startDiscord({ guild: { roles: ['staff'], channels: ['general'] } });
 * const client = new Client({ intents: [], rest: { api: discord.apiUrl, cdn: discord.url } });
 * await client.login(discord.token());
 * const answer = await discord.as('member').invoke(discord.id('channel', 'general'), 'ping');
 *
 * @throws what the socket says, e.g. `EADDRINUSE`
 */
export async function startDiscord(options: StartOptions = {}): Promise<LocalDiscord> {
  const {
    host = '127.0.0.1',
    port = 0,
    beforeListen,
    clock = systemClock,
    log = pino({ name: 'local-discord', level: 'warn' }),
    world = describeWorld(options),
    ...rest
  } = options;
  const { listen, ...discord } = createLocalDiscord({ ...rest, clock, log, world });
  try {
    await beforeListen?.(discord.app);
    const address = await listen({ host, port });
    return {
      ...discord,
      ...address,
      id: (kind, name) => findId(discord.state, kind, name),
      [Symbol.asyncDispose]: discord.close,
    };
  } catch (error) {
    await discord.close();
    throw error;
  }
}

function findId(state: Readonly<State>, kind: 'channel' | 'role' | 'guild' | 'user', name: string): string {
  const guilds = [...state.guilds.values()];
  const named: { id: string; name: string | null }[] = {
    channel: () => [...state.channels.values()],
    role: () => guilds.flatMap(({ roles }) => roles),
    guild: () => guilds,
    user: () => [...state.users.values()].map(({ id, username }) => ({ id, name: username })),
  }[kind]();
  const found = named.filter((one) => one.name === name);
  if (found.length > 1) throw new Error(`the local Discord has more than one ${kind} '${name}'`);
  if (!found[0]) throw new Error(`the local Discord has no ${kind} '${name}'`);
  return found[0].id;
}
