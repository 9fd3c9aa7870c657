import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, withTimeout } from '@darkroom/time';
import type { Store } from '../storage/store.ts';
import { askBalance } from './ask-balance.ts';
import type { Credentials } from './credentials.ts';
import type { KeyOwner } from './key-owner.ts';

/** How often the service is asked for what is left of one key at most, of all processes. */
const LOOK_MS = 60_000;

/** How long the service may take to say it. */
const TIMEOUT_MS = 30_000;

interface LowCreditsWarning {
  /** Of two processes that give the same one, the same. */
  id: string;
  guildId: string;
  channelId: string;
  /** What is left, and what it is less than. */
  credits: number;
  below: number;
}

/** Warns who manages a server once its key has few credits left; again only after they were topped up. */
export function createLowCredits({
  store,
  credentials,
  images,
  warn,
  clock,
  log,
}: {
  store: Pick<Store, 'take'>;
  credentials: Pick<Credentials, 'describe' | 'open' | 'setWarned' | 'noteUse'>;
  images: Pick<ImageClient, 'balance'>;
  /** Resolves once moderators can read it. Rejects with the reason of `signal`. */
  warn(warning: LowCreditsWarning, signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Log;
}) {
  /** True for one caller of all processes. */
  async function takeTurn(guildId: string): Promise<boolean> {
    const key = `credits-looked:${guildId}:${Math.floor(clock.now() / LOOK_MS)}`;
    return (await store.take([{ key, amount: 1, limit: 1, ttl: 2 * LOOK_MS }])).state === 'taken';
  }

  async function look(guildId: string, signal: AbortSignal): Promise<void> {
    const owner: KeyOwner = { kind: 'guild', id: guildId };
    const terms = (await credentials.describe(owner))?.terms;
    if (!terms?.warning || !(await takeTurn(guildId))) return;
    const opened = await credentials.open(owner);
    if (!opened) return;
    const { apiKey, linkedAt, warnedBelow, warnings } = opened;
    const { channelId, below } = terms.warning;
    const ask = (within: AbortSignal) => askBalance(owner, apiKey, { credentials, images, signal: within });
    const { balance: credits } = await withTimeout(TIMEOUT_MS, ask, { signal });
    const isLow = credits < below;
    // Noted once it is posted: of a process that dies in between the next one warns.
    const id = `${guildId}:${linkedAt}:${warnings}`;
    if (isLow && warnedBelow !== below) await warn({ id, guildId, channelId, credits, below }, signal);
    await credentials.setWarned(guildId, linkedAt, isLow ? below : undefined);
  }

  return {
    /** The key of this server has just paid. Never rejects. `signal`: it is left for the next occasion. */
    paid: (guildId: string, signal: AbortSignal): Promise<void> =>
      look(guildId, signal).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ err: error, guild: guildId }, 'nobody could be warned of few credits');
      }),
  };
}
