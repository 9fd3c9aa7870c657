import { setImmediate as nextTurn } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { openSqlite, outwaitLock, type Sqlite } from '@darkroom/storage';
import { createInFlight } from '@darkroom/time';

/**
 * A connection to the SQLite file `path`, as `new Database(…)`. `opened` is called when it is open, or with the error
 * that kept it from it.
 */
export function Database(path: string, opened: (error: unknown) => void) {
  let busyTimeoutMs = 0;

  const open = async (): Promise<Sqlite> => openSqlite(path, { timeoutMs: 0 });
  const opening = open();

  const inFlight = createInFlight();
  async function run(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const sqlite = await opening;
    // Whoever asks for one page after the other would have the event loop for itself.
    await nextTurn();
    return outwaitLock(() => {
      const statement = sqlite.prepare(sql);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    }, performance.now() + busyTimeoutMs);
  }

  async function close(): Promise<void> {
    const sqlite = await opening;
    await inFlight.settled();
    sqlite.close();
  }

  callbackify(() => opening)(opened);
  return {
    /** How long a statement is tried while another process holds the file. */
    configure(_option: 'busyTimeout', ms: number): void {
      busyTimeoutMs = ms;
    },
    /** Runs a statement; its rows, none where it returns none. */
    all: callbackify((sql: string, ...parameters: readonly unknown[]) => inFlight.add(run(sql, parameters))),
    /** Once every statement that was asked for before has ended. */
    close: callbackify(close),
  };
}

// biome-ignore lint/style/noDefaultExport: that is how @keyv/sqlite imports it.
export default { Database };
