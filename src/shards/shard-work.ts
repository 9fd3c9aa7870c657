import type { Shard } from '../jobs/shard.ts';

/** What a process does for the shards that are its own. */
export interface ShardWork {
  /**
   * Takes up the jobs of a shard and connects it, where it is not. Resolves when it is connected, or given up. Never
   * rejects.
   */
  begin(shard: Shard): Promise<void>;
  /** Disconnects a shard and stops following its jobs; when it resolves, another process may begin. Never rejects. */
  end(shard: Shard): Promise<void>;
  /**
   * Stops following every shard at once: from now on another process may. Connections stay, and whoever asks is told
   * that the store is down.
   */
  suspend(): void;
  /** Those that are connected, or are about to be. */
  connected(): Shard[];
}
