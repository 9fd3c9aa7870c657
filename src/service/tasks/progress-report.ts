import type { Clock } from '../../clock.ts';
import type { Development } from '../engines/engine.ts';
import type { Files } from '../files.ts';
import type { ClaimedTask, Queue } from './queue.ts';

/** How often the progress of a task is written down at most. */
const INTERVAL_MS = 500;

/** Writes down what is seen of one drawing: now and then, never twice at once, never falling, always the newest. */
export function createProgressReport({
  task,
  queue,
  files,
  clock,
}: {
  task: ClaimedTask;
  queue: Queue;
  files: Files;
  clock: Clock;
}) {
  const ended = new AbortController();
  let preview: string | undefined;
  let progress = 0;
  let frame: Uint8Array | undefined;
  let news = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;

  async function write(bytes: Uint8Array | undefined): Promise<void> {
    if (bytes) {
      preview ??= await files.name(task.id, 'preview', 'image/webp');
      await files.write(preview, bytes);
    }
    await queue.report(task, { progress, ...(preview !== undefined && { preview }) });
  }

  async function writeNews(): Promise<void> {
    while (news) {
      const wait = writtenAt + INTERVAL_MS - clock.now();
      if (wait > 0) await clock.sleep(wait, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) break;
      const newest = frame;
      frame = undefined;
      news = false;
      writtenAt = clock.now();
      // Progress that cannot be written is not worth a task; its lease will tell whether the database is lost.
      await write(newest).catch(() => undefined);
    }
    writing = undefined;
  }

  return {
    see({ percent, preview: bytes }: Development): void {
      const reached = Math.min(99, Math.floor(percent));
      if (reached <= progress && !bytes) return;
      progress = Math.max(progress, reached);
      frame = bytes ?? frame;
      news = true;
      writing ??= writeNews();
    },

    /** Ends the report and takes its preview away: there is a picture now, or there will be none. */
    async close(): Promise<void> {
      ended.abort();
      await writing;
      if (preview !== undefined) await files.remove(preview);
    },
  };
}
