import { type Log, messageOf } from '@darkroom/process';
import { type Clock, createCache } from '@darkroom/time';
import type { Unavailable } from '../engine.ts';
import type { HordeClient } from './client.ts';
import { isBadKey } from './explain.ts';

/** How long it holds which models there are, and that the key is accepted. */
const ASKED_MS = 60_000;
/** When to ask again what does not answer, or does not accept the key. */
const RETRY_MS = 30_000;

interface Absence extends Unavailable {
  mend: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/** What the Horde offers, and whether it draws for this key: its operator hears once of what keeps it from that. */
export function createAttendance({
  client,
  closing,
  clock,
  log,
}: {
  client: Pick<HordeClient, 'models' | 'user' | 'name'>;
  /** Aborts when the engine is closed. */
  closing: AbortSignal;
  clock: Clock;
  log: Log;
}) {
  const asked = createCache<'models', Promise<string[]>>({ max: 1, ttlMs: ASKED_MS, clock });
  let absence: Absence | undefined;

  /** Returns what is said of it. */
  function noteFailure(error: unknown): Absence {
    const reason = isBadKey(error)
      ? 'The AI Horde does not accept the key of this service.'
      : 'The AI Horde does not answer at the moment.';
    const mend = isBadKey(error) ? 'Check AI_HORDE_KEY' : 'Check AI_HORDE_URL if that goes on';
    if (absence?.reason !== reason)
      log.warn({ server: client.name, reason: messageOf(error) }, `${reason} Trying again later. ${mend}`);
    absence = { reason, mend, retryAfterMs: RETRY_MS, until: clock.now() + RETRY_MS };
    return absence;
  }

  function noteAnswer(): void {
    if (absence) log.info({ server: client.name }, 'the AI Horde answers again');
    absence = undefined;
  }

  return {
    noteFailure,

    /** A request was refused: where the key is why, nothing that was found before holds. */
    noteRefusal(error: unknown): void {
      if (!isBadKey(error)) return;
      asked.delete('models');
      noteFailure(error);
    },

    /** The models that are offered. Rejects where the Horde does not answer; then it is asked again soon. */
    async models(): Promise<string[]> {
      try {
        const names = await asked.recall('models', async () => {
          const [models] = await Promise.all([client.models(closing), client.user(closing)]);
          return models;
        });
        noteAnswer();
        return names;
      } catch (error) {
        if (!closing.aborted) noteFailure(error);
        throw error;
      }
    },

    /** Why it draws nothing, as far as it was asked. */
    absence: (): Absence | undefined => absence,
  };
}
