import { createSemaphore, type Semaphore } from '@darkroom/time';
import Bottleneck from 'bottleneck';

/** What goes first when a guild has more to do than its rate limit allows. Lower is sooner (Bottleneck's 0 to 9). */
const PRIORITY = { download: 1, cancel: 2, submit: 3, upload: 3, poll: 5, preview: 9 } as const;

/** How many calls of one guild are under way at once. */
const CONCURRENT = 10;

/** How much of a guild's room submissions may have: one may take minutes, and what is paid is polled and fetched. */
const SUBMITTING = 0.6;

const WINDOW_MS = 1_000;

/** How late room is given back at most: one timer does it for several calls. */
const GIVE_BACK_MS = 20;

/** A guild's calls to the image service, slowed to its own limit: a busy guild slows itself and nobody else. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** `pass` gives its turn back: no call was made. */
type Call<Result> = (pass: () => void) => Promise<Result>;

interface Guild {
  id: string;
  underWay: number;
  /** Calls that are under way or have ended within the last second. */
  counted: number;
  /** While calls wait; its reservoir holds the room that was `granted` and is not taken yet. */
  queue: Bottleneck | undefined;
  waiting: number;
  granted: number;
  submissions: Semaphore;
  /** Submissions that wait for others to end, and not yet for room. */
  heldBack: number;
}

/**
 * A call that finds room costs a few counters; a guild has a Bottleneck limiter only while it wants more than it may
 * have. Why: docs/decisions/polling.md.
 *
 * `afterAnother`: a process before this one may have used up the second before this moment, so no call begins in the
 * next.
 */
export function createRateLimiter({
  callsPerSecond,
  afterAnother = false,
}: {
  callsPerSecond: number;
  afterAnother?: boolean;
}) {
  const guilds = new Map<string, Guild>();
  /** Oldest first; `at` by the monotonic clock. */
  const ended: { guild: Guild; calls: number; at: number }[] = [];
  const openedAt = performance.now();
  let givesBack: NodeJS.Timeout | undefined;
  let closed = false;

  const roomOf = ({ underWay, counted, granted }: Guild) =>
    Math.min(CONCURRENT - underWay, callsPerSecond - counted) - granted;

  function meet(id: string): Guild {
    const guild: Guild = {
      id,
      underWay: 0,
      counted: 0,
      queue: undefined,
      waiting: 0,
      granted: 0,
      submissions: createSemaphore(SUBMITTING * Math.min(CONCURRENT, callsPerSecond)),
      heldBack: 0,
    };
    guilds.set(id, guild);
    if (afterAnother && performance.now() < openedAt + WINDOW_MS) {
      guild.counted = callsPerSecond;
      giveBackLater(guild, callsPerSecond, openedAt);
    }
    return guild;
  }

  /** Wherever between its begin and its end a call arrives, no second there holds more than the limit. */
  async function begin<Result>(guild: Guild, call: Call<Result>): Promise<Result> {
    guild.underWay += 1;
    guild.counted += 1;
    let passed = false;
    try {
      return await call(() => {
        passed = true;
      });
    } finally {
      guild.underWay -= 1;
      if (passed) guild.counted -= 1;
      else giveBackLater(guild, 1, performance.now());
      onRoom(guild);
    }
  }

  function giveBackLater(guild: Guild, calls: number, at: number): void {
    ended.push({ guild, calls, at });
    if (ended.length === 1) giveBackAfter(at + WINDOW_MS - performance.now());
  }

  function giveBackAfter(ms: number): void {
    if (!closed) givesBack = setTimeout(giveBack, ms + GIVE_BACK_MS).unref();
  }

  function giveBack(): void {
    const until = performance.now() - WINDOW_MS;
    const changed = new Set<Guild>();
    while (ended[0] && ended[0].at <= until) {
      const { guild, calls } = ended[0];
      ended.shift();
      guild.counted -= calls;
      changed.add(guild);
    }
    if (ended[0]) giveBackAfter(ended[0].at - until);
    for (const guild of changed) onRoom(guild);
  }

  /** Grants it to those that wait; a guild of which nothing is left is forgotten. */
  function onRoom(guild: Guild): void {
    const room = roomOf(guild);
    if (guild.queue && room > 0) {
      guild.granted += room;
      void guild.queue.incrementReservoir(room);
    }
    const { waiting, heldBack, underWay, counted } = guild;
    if (waiting + heldBack + underWay + counted === 0) guilds.delete(guild.id);
  }

  function admit(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (closed) throw new Error('the rate limiter is closed');
  }

  /** No `expiration`: Bottleneck would free the slot while the call runs on. Time bounds are the calls' own. */
  function beginWhenRoom<Result>(
    guild: Guild,
    kind: keyof typeof PRIORITY,
    call: Call<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const queue = guild.queue ?? new Bottleneck({ reservoir: 0 });
    guild.queue = queue;
    guild.waiting += 1;
    return new Promise((resolve, reject) => {
      const waitNoLonger = () => {
        guild.waiting -= 1;
        if (guild.waiting > 0) return;
        guild.queue = undefined;
        guild.granted = 0;
      };
      const leave = () => {
        waitNoLonger();
        onRoom(guild);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const scheduled = queue.schedule({ priority: PRIORITY[kind] }, async () => {
        signal?.removeEventListener('abort', leave);
        // Of a queue in which nobody waits any more only turns are left that were given up.
        if (guild.queue !== queue) return;
        guild.granted -= 1;
        if (signal?.aborted) return onRoom(guild);
        waitNoLonger();
        resolve(begin(guild, call));
      });
      scheduled.catch(reject);
    });
  }

  return {
    /**
     * Runs `call` when there is room for it: at once where there is. `guildId`: by `guildOrMember`. Rejects as `call`
     * does, or with the signal's reason as soon as it aborts before there is.
     */
    async run<Result>(
      guildId: string,
      kind: keyof typeof PRIORITY,
      call: Call<Result>,
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<Result> {
      admit(signal);
      const guild = guilds.get(guildId) ?? meet(guildId);
      let giveBack = () => {};
      if (kind === 'submit') {
        guild.heldBack += 1;
        try {
          giveBack = await guild.submissions.acquire(1, { signal });
        } finally {
          guild.heldBack -= 1;
        }
      }
      try {
        admit(signal);
        const hasRoom = !guild.queue && roomOf(guild) >= 1;
        return await (hasRoom ? begin(guild, call) : beginWhenRoom(guild, kind, call, signal));
      } finally {
        giveBack();
      }
    },

    waiting: (): number =>
      [...guilds.values()].reduce((sum, { waiting, heldBack }) => sum + waiting + heldBack, 0),

    /** Calls that wait are dropped; calls under way end by their own signals. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(givesBack);
      await Promise.all([...guilds.values()].map(({ queue }) => queue?.stop({ dropWaitingJobs: true })));
    },
  };
}
