import { EventEmitter } from 'node:events';
import { type Client, type ClientOptions, Events, SimpleShardingStrategy } from 'discord.js';

type BuildStrategy = NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>;

/**
 * After so many closes in a row, of the connection and of tries half a second apart, a shard begins a new session:
 * interactions that the old one could still bring are over by then.
 */
const MOST_CLOSES = 6;

/**
 * How the shard of a client connects. @discordjs/ws asks for its session before each connection. Left alone, it
 * connects also after its client was destroyed, if it was waiting to do so (discordjs/discord.js#10397), and for ever
 * to the address of a session that is gone, unless that fails in one of four ways (discordjs/discord.js#10382). And a
 * socket that was still connecting when its client was destroyed ends the process where it fails.
 */
export function connectShard(
  client: Client,
  manager: Parameters<BuildStrategy>[0],
): ReturnType<BuildStrategy> {
  const { retrieveSessionInfo, updateSessionInfo } = manager.options;
  const strategy = new SimpleShardingStrategy(manager);
  let isDestroyed = false;
  let closes = 0;
  const destroy = client.destroy.bind(client);
  client.destroy = async () => {
    isDestroyed = true;
    const sockets = socketsOf(strategy);
    for (const socket of sockets) socket.on('error', () => undefined);
    await destroy();
    for (const socket of sockets) socket.terminate();
  };
  manager.options.retrieveSessionInfo = (shard) =>
    isDestroyed ? new Promise(() => undefined) : retrieveSessionInfo(shard);
  client.on(Events.ShardReconnecting, (shard) => {
    closes += 1;
    if (closes >= MOST_CLOSES) void updateSessionInfo(shard, null);
  });
  const succeed = () => {
    closes = 0;
  };
  client.on(Events.ShardReady, succeed).on(Events.ShardResume, succeed);
  return strategy;
}

type Socket = EventEmitter & { terminate: () => void };

/** The sockets of ws that these shards have. The library tells of none. */
function socketsOf(strategy: SimpleShardingStrategy): Socket[] {
  const shards: unknown = Reflect.get(strategy, 'shards');
  if (!(shards instanceof Map)) return [];
  return [...shards.values()].map((shard) => Reflect.get(shard, 'connection')).filter(isSocket);
}

const isSocket = (value: unknown): value is Socket =>
  value instanceof EventEmitter && 'terminate' in value && typeof value.terminate === 'function';
