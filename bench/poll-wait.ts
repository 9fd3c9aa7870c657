import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type AccountHeaders, statusPath } from './bench-service.ts';

/** Milliseconds that 99 of 100 status polls of a task wait at most, asked for by a thread of its own for `ms`. */
export async function pollWaitP99(
  origin: string,
  { id, headers }: { id: string; headers: AccountHeaders },
  ms: number,
): Promise<number> {
  const worker = new Worker(new URL('./visitor.js', import.meta.url), {
    workerData: { origin, path: statusPath(id), headers, ms },
  });
  const [p99] = await once(worker, 'message');
  await worker.terminate();
  return Number(p99);
}

/** What `work` resolves to, while the thread of a file runs that says when it begins. */
export async function beside<Result>(
  file: URL,
  workerData: object,
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = new Worker(file, { workerData });
  try {
    await once(worker, 'message');
    const failed = once(worker, 'exit').then(() => {
      throw new Error(`${file.pathname.split('/').at(-1)} has ended`);
    });
    return await Promise.race([work(), failed]);
  } finally {
    await worker.terminate();
  }
}
