import { type Client, type ClientOptions, Events, SimpleShardingStrategy } from 'discord.js';

type BuildStrategy = NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>;

/**
 * After so many connections in a row that failed, half a second apart, a shard begins a new session: interactions that
 * the old one could still bring are over by then.
 */
const MOST_FAILURES = 6;

/**
 * How the shard of a client connects. @discordjs/ws asks for its session before each connection. Left alone, it
 * connects also after its client was destroyed, if it was waiting to do so (discordjs/discord.js#10397), and for ever
 * to the address of a session that is gone, unless that fails in one of four ways (discordjs/discord.js#10382).
 */
export function connectShard(
  client: Client,
  manager: Parameters<BuildStrategy>[0],
): ReturnType<BuildStrategy> {
  const { retrieveSessionInfo, updateSessionInfo } = manager.options;
  let isDestroyed = false;
  let failures = 0;
  const destroy = client.destroy.bind(client);
  client.destroy = () => {
    isDestroyed = true;
    return destroy();
  };
  manager.options.retrieveSessionInfo = (shard) =>
    isDestroyed ? new Promise(() => undefined) : retrieveSessionInfo(shard);
  client.on(Events.ShardReconnecting, (shard) => {
    failures += 1;
    if (failures >= MOST_FAILURES) void updateSessionInfo(shard, null);
  });
  const succeed = () => {
    failures = 0;
  };
  client.on(Events.ShardReady, succeed).on(Events.ShardResume, succeed);
  return new SimpleShardingStrategy(manager);
}
