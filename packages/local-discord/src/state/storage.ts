import { readFileSync, renameSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBatch, createWakeableSleep, systemClock } from '@darkroom/time';
import type { Logger } from 'pino';
import type { EventBus } from './event-bus.ts';
import type { Snowflakes } from './snowflakes.ts';
import { compareIds } from './snowflakes.ts';
import type { Kept, State } from './state.ts';

/** Changes within this time are written together. */
const DELAY_MS = 200;
const VERSION = 4;

/** What an earlier version did not have is not in it. */
interface Snapshot extends Partial<Record<keyof Kept, [string, unknown][]>> {
  version: number;
  secret: string;
}

/**
 * Keeps `state` in `folder/state.json`. Bot tokens come from the world each time and are not written; of interaction
 * tokens there are only hashes.
 */
export function createStorage(
  { now: _now, ...kept }: State,
  { folder, log }: { folder: string; log: Logger },
) {
  const path = join(folder, 'state.json');
  const maps: Readonly<Record<string, Map<string, unknown>>> = kept;
  const pause = createWakeableSleep(systemClock);

  async function write(secret: string): Promise<void> {
    const entries = Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, [...map]]));
    const text = JSON.stringify({ version: VERSION, secret, ...entries }, toJson);
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  return {
    /** Fills the state with what an earlier process left; gives back the secret that signs links, if there is one. */
    load(snowflakes: Snowflakes): string | undefined {
      const text = read(path);
      if (text === undefined) return undefined;
      try {
        // Written by this file: whatever else it holds fails below, and is set aside.
        const snapshot = JSON.parse(text, fromJson) as Snapshot;
        if (snapshot.version !== VERSION) throw new Error(`version ${snapshot.version} is not ${VERSION}`);
        for (const [name, map] of Object.entries(maps)) {
          // The names of a state's own maps.
          for (const [id, value] of snapshot[name as keyof Kept] ?? []) map.set(id, value);
        }
        const ids = Object.values(maps).flatMap((map) => [...map.keys()]);
        for (const id of ids.sort(compareIds).slice(-1)) snowflakes.startAfter(id);
        return snapshot.secret;
      } catch (error) {
        log.warn(
          { err: error, path },
          'the saved state cannot be read; it is set aside and a new one begins',
        );
        for (const map of Object.values(maps)) map.clear();
        renameSync(path, `${path}.unreadable`);
        return undefined;
      }
    },
    /** Writes soon after each change, until the returned function is called, which writes once more. */
    save(events: EventBus, secret: string): () => Promise<void> {
      const soon = createBatch<void, void>(
        async () => {
          await write(secret).catch((error: unknown) =>
            log.error({ err: error, path }, 'the state could not be saved'),
          );
          return [];
        },
        { collect: () => pause.sleep(DELAY_MS) },
      );
      const unsubscribe = events.subscribe(() => void soon());
      return async () => {
        unsubscribe();
        pause.wake();
        await soon();
        await rm(`${path}.new`, { force: true });
      };
    },
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

/** JSON has no bigint, which permissions are. */
function toJson(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) };
  return key === 'token' ? undefined : value;
}

function fromJson(_key: string, value: unknown): unknown {
  const bigint: unknown = Reflect.get(Object(value), 'bigint');
  return typeof bigint === 'string' && Object.keys(Object(value)).length === 1 ? BigInt(bigint) : value;
}
