import { readFileSync, renameSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Keeps the state in `folder/state.json`: read once, written soon after each change, and by `close`. Bot tokens come
 * from the world each time and are not written; of interaction tokens there are only hashes.
 */
export function createStorage({ folder, log }: { folder: string; log: Logger }) {
  const path = join(folder, 'state.json');
  let secret = '';
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let write = async (): Promise<void> => undefined;
  let unsubscribe = (): void => undefined;

  async function writeSnapshot(state: State): Promise<void> {
    const maps = Object.fromEntries(Object.entries(state).map(([name, map]) => [name, [...map]]));
    const text = JSON.stringify({ version: VERSION, secret, ...maps }, toJson);
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  return {
    /** Fills `state` with what an earlier process left; gives back the secret that signs links, if there is one. */
    load(state: State, snowflakes: Snowflakes): string | undefined {
      const text = read(path);
      if (text === undefined) return undefined;
      try {
        // Written by this file: whatever else it holds fails below, and is set aside.
        const snapshot = JSON.parse(text, fromJson) as Snapshot;
        if (snapshot.version !== VERSION) throw new Error(`version ${snapshot.version} is not ${VERSION}`);
        for (const [name, map] of Object.entries(state)) {
          // The names of a state's own maps.
          for (const [id, value] of snapshot[name as keyof Kept] ?? []) map.set(id, value);
        }
        const ids = Object.values(state).flatMap((map) => [...map.keys()]);
        for (const id of ids.sort(compareIds).slice(-1)) snowflakes.startAfter(id);
        return snapshot.secret;
      } catch (error) {
        log.warn(
          { err: error, path },
          'the saved state cannot be read; it is set aside and a new one begins',
        );
        for (const map of Object.values(state)) map.clear();
        renameSync(path, `${path}.unreadable`);
        return undefined;
      }
    },
    start(state: State, events: EventBus, signingSecret: string): void {
      secret = signingSecret;
      write = () => {
        writing = writing.then(() =>
          writeSnapshot(state).catch((error: unknown) =>
            log.error({ err: error, path }, 'the state could not be saved'),
          ),
        );
        return writing;
      };
      unsubscribe = events.subscribe(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          void write();
        }, DELAY_MS).unref();
      });
    },
    async close(): Promise<void> {
      unsubscribe();
      clearTimeout(timer);
      await write();
      await rm(`${path}.new`, { force: true });
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
