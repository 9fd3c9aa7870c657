import { type Log, messageOf } from '@darkroom/process';
import { type Clock, repeat } from '@darkroom/time';
import type { Shard } from '../jobs/shard.ts';
import type { Installation } from './installation.ts';
import { type HeldLock, isIdentifyKey, type Locks, PROCESS, shardKey, shardOfKey } from './locks.ts';
import type { ShardWork } from './shard-work.ts';

const LOOK_INTERVAL_MS = 1_000;

/** Limits are counted by the second: what the last owner of a shard has sent lies behind by then. */
const HANDOVER_MS = 1_000;

/** The locks of this process, as long as its connection to PostgreSQL lives. */
export interface OwnLocks {
  current: Locks | undefined;
  /** Locks on a new connection, after that of these was lost. */
  reopen(): Promise<Locks>;
}

/** Serves this process's share of the shards, by the advisory locks that it holds. */
export function createShareKeeper({
  own,
  installation,
  work,
  allowMove,
  onProcesses,
  log,
  clock,
}: {
  own: OwnLocks;
  installation: Pick<Installation, 'shards'>;
  work: ShardWork;
  /** Whether Discord has room for a move that is not needed, in a bot of so many shards. */
  allowMove(shards: number): Promise<boolean>;
  /** Hears how many processes live. */
  onProcesses(count: number): void;
  log: Log;
  clock: Clock;
}) {
  const stopping = new AbortController();
  const ended = new AbortController();
  const held = new Map<number, Shard>();
  let areAllTaken = false;
  let deciding: Promise<Shard[]> | undefined;
  let keeping: Promise<void> | undefined;

  async function giveUp(shard: Shard, from: Locks): Promise<void> {
    await work.end(shard);
    held.delete(shardKey(shard));
    await from.unlock(shardKey(shard));
    log.info({ shard: shard.id, of: shard.count }, 'gave up a shard');
  }

  /** Takes what is free up to the share, or gives up one of what is above it. Says what it has taken. */
  async function decide(seen: readonly HeldLock[], from: Locks): Promise<Shard[]> {
    const count = await installation.shards();
    const locked = seen.flatMap(({ key }) => shardOfKey(key) ?? []);
    const taken = new Set(locked.map(shardKey));
    const shards = Array.from({ length: count }, (_, id): Shard => ({ id, count }));
    const free = shards.filter((shard) => !taken.has(shardKey(shard)));
    areAllTaken = free.length === 0;
    const outdated = [...held.values()].filter((shard) => shard.count !== count);
    await Promise.all(outdated.map((shard) => giveUp(shard, from)));
    // Connections that outlived their lock, where another process has taken it meanwhile.
    const others = work
      .connected()
      .filter((shard) => !held.has(shardKey(shard)) && (shard.count !== count || taken.has(shardKey(shard))));
    await Promise.all(others.map(work.end));
    // Two numbers at once would send what happens in one server to two processes.
    if (locked.some((shard) => shard.count !== count)) return [];

    const share = Math.ceil(count / processesIn(seen));
    const [surplus] = [...held.values()].slice(share);
    // One at a time, while nobody is connecting another shard: so each is without a connection for a moment only.
    const isQuiet = free.length === 0 && !seen.some(({ key }) => isIdentifyKey(key));
    if (surplus && isQuiet && (await allowMove(count))) await giveUp(surplus, from);

    const connected = new Set(work.connected().map(shardKey));
    const candidates = [
      ...free.filter((shard) => connected.has(shardKey(shard))),
      ...free.filter((shard) => !connected.has(shardKey(shard))),
    ];
    const taking: Shard[] = [];
    for (const shard of candidates) {
      if (held.size + taking.length >= share) break;
      if (await from.tryLock(shardKey(shard))) taking.push(shard);
    }
    if (taking.length === 0) return [];
    const letGo = async () => {
      for (const shard of taking) await from.unlock(shardKey(shard));
    };
    await clock.sleep(HANDOVER_MS);
    // Read after locking: either who changes the number sees our locks, or we see the new number.
    const countNow = await installation.shards().catch(async (error: unknown) => {
      await letGo();
      throw error;
    });
    if (own.current !== from) return [];
    if (countNow !== count || stopping.signal.aborted) {
      await letGo();
      return [];
    }
    for (const shard of taking) held.set(shardKey(shard), shard);
    log.info({ shards: taking.map(({ id }) => id), of: count }, 'took shards');
    return taking;
  }

  /** Another process may begin with our shards from now on. */
  function lose(error: unknown): void {
    const before = own.current;
    if (!before) return;
    own.current = undefined;
    held.clear();
    areAllTaken = false;
    work.suspend();
    void before.close().catch(() => undefined);
    log.error({ err: error }, `no job is followed until PostgreSQL answers again: ${messageOf(error)}`);
  }

  /** Proves that the locks are still ours. Rejects where they are not. */
  async function look(): Promise<{ seen: HeldLock[]; from: Locks }> {
    if (!own.current) {
      own.current = await own.reopen();
      log.info('PostgreSQL answers again');
    }
    const from = own.current;
    const seen = await from.look();
    onProcesses(processesIn(seen));
    return { seen, from };
  }

  /** Decides, and begins with what was taken. Resolves when that is connected. */
  async function takeShare({ seen, from }: Awaited<ReturnType<typeof look>>): Promise<void> {
    deciding = decide(seen, from).finally(() => {
      deciding = undefined;
    });
    await Promise.all((await deciding).map(work.begin));
  }

  /** Begins a decision where none is under way. */
  async function act(): Promise<void> {
    const looked = await look();
    if (deciding || stopping.signal.aborted) return;
    takeShare(looked).catch((error: unknown) =>
      log.warn({ err: error }, 'the shards stay as they are for now'),
    );
  }

  return {
    /** Whether others serve every shard, and this process would take what they leave. */
    isSpare: () => areAllTaken && held.size === 0,

    /** Resolves when the shards that were free are connected; from then on it goes on by itself. */
    async start(): Promise<void> {
      const taken = takeShare(await look());
      keeping = repeat(act, { everyMs: LOOK_INTERVAL_MS, clock, signal: ended.signal, onError: lose });
      await taken;
    },

    /** Ends the work of every shard, and frees each as soon as it has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await deciding?.catch(() => undefined);
      const last = own.current;
      // The others' share grows with it.
      await last?.unlock(PROCESS).catch(() => undefined);
      if (last) await Promise.allSettled([...held.values()].map((shard) => giveUp(shard, last)));
      ended.abort();
      await keeping;
      await last?.close().catch(() => undefined);
    },
  };
}

const processesIn = (seen: readonly HeldLock[]): number => seen.filter(({ key }) => key === PROCESS).length;
