import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, repeat } from '@darkroom/time';
import mime from 'mime';
import type { FinishedPicture, JobPicture } from './delivery-port.ts';

/** Bytes of finished pictures on disk: some hundred of the largest, or an outage of some minutes. */
const SPOOL_BYTES = 1024 ** 3;

/**
 * Finished pictures wait on disk until they are delivered, not in memory. A file is worth nothing by itself: what is
 * not there, or damaged, is fetched again from the image service.
 */
export type PictureSpool = Awaited<ReturnType<typeof openPictureSpool>>;

/** `folder`: made where it is missing, for this user only. While it cannot be, nothing is spooled. */
export async function openPictureSpool({
  folder,
  log,
  limit = SPOOL_BYTES,
}: {
  folder: string;
  log: Log;
  limit?: number;
}) {
  const files = new Map<string, (FinishedPicture & { path: string })[]>();
  let spooled = 0;

  const warn = (error: unknown, what: string) => log.warn({ err: error, folder }, what);

  const deleteFile = (path: string) =>
    rm(path, { force: true }).catch((error: unknown) => warn(error, 'a picture cannot be deleted'));

  /** One that this process or one before it has written, perhaps not to its end. */
  const find = (jobId: string, task: number) => files.get(jobId)?.find((one) => one.task === task);

  function add(jobId: string, task: number, file: { path: string; contentType: string; size: number }) {
    const { path, contentType, size } = file;
    const read = async () => ({ task, contentType, bytes: await readFile(path) });
    const others = (files.get(jobId) ?? []).filter((one) => one.task !== task);
    files.set(jobId, [...others, { path, task, size, read }]);
  }

  /** `job-task.png` */
  async function list(name: string): Promise<void> {
    const [, jobId, task, extension = ''] = /^(\d+)-(\d)\.(\w+)$/.exec(name) ?? [];
    if (jobId === undefined) return;
    const path = join(folder, name);
    // A process died after it had written a picture of another type in place of one, before that was deleted.
    if (find(jobId, Number(task))) return deleteFile(path);
    // Another process may have deleted it since.
    const found = await stat(path).catch(() => undefined);
    if (!found) return;
    const { size } = found;
    spooled += size;
    const contentType = mime.getType(extension) ?? 'application/octet-stream';
    add(jobId, Number(task), { path, contentType, size });
  }

  const makeFolder = () => mkdir(folder, { recursive: true, mode: 0o700 });

  try {
    await makeFolder();
    for (const name of await readdir(folder)) await list(name);
  } catch (error) {
    warn(error, 'the folder for finished pictures cannot be used; they are fetched again instead');
  }

  async function remove(jobId: string): Promise<void> {
    const removed = files.get(jobId) ?? [];
    files.delete(jobId);
    for (const { path, size } of removed) {
      spooled -= size;
      await deleteFile(path);
    }
  }

  return {
    find,
    remove,

    /** Undefined where the picture does not fit into the budget, or the disk does not take it. */
    async write(
      jobId: string,
      { bytes, contentType, task }: JobPicture,
    ): Promise<FinishedPicture | undefined> {
      const path = join(folder, `${jobId}-${task}.${mime.getExtension(contentType) ?? 'bin'}`);
      const size = bytes.byteLength;
      const replaced = find(jobId, task);
      const added = size - (replaced?.size ?? 0);
      if (spooled + added > limit) return undefined;
      spooled += added;
      try {
        // It may have been deleted, or there was no room for it at the start.
        await makeFolder();
        await writeFile(path, bytes, { mode: 0o600 });
      } catch (error) {
        spooled -= added;
        warn(error, 'a picture cannot be written to disk, and will be fetched again');
        await rm(path, { force: true }).catch(() => undefined);
        return undefined;
      }
      add(jobId, task, { path, contentType, size });
      if (replaced && replaced.path !== path) await deleteFile(replaced.path);
      return find(jobId, task);
    },

    /**
     * Deletes the pictures of jobs that are not `needed` any more, at once and every day until `signal` aborts: an
     * earlier process left them, or this one did whose shard another process serves now. Never rejects.
     */
    sweepDaily(
      needed: (jobId: string) => Promise<boolean>,
      { clock, signal }: { clock: Clock; signal: AbortSignal },
    ): Promise<void> {
      async function sweep(): Promise<void> {
        for (const jobId of [...files.keys()]) {
          const isNeeded = await needed(jobId).catch(() => true);
          if (!isNeeded) await remove(jobId);
        }
      }
      return repeat(sweep, { everyMs: DAY_MS, clock, signal });
    },
  };
}
