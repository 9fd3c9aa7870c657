import { forkFile } from './forked.ts';
import type { Line } from './line.ts';
import { beside, pollWaitP99 } from './poll-wait.ts';
import { startUploadService } from './upload-service.ts';

const ROUNDS = 9;
const ROUND_MS = 3_000;
/** One picture of each account. */
const PACE_MS = 1_000;

/**
 * In turns: how long polls of the image service take while two accounts upload to it and while they upload the same
 * to a server that only reads, each of the three in a process of its own.
 */
export async function pollsBesideUploads(): Promise<readonly Line[]> {
  const service = await startUploadService({ accounts: 3, waiting: 1 });
  const reader = forkFile(new URL('./bare-uploads-process.js', import.meta.url));
  const [visited = { id: '', headers: {} }] = service.tasks;
  const p99 = () => pollWaitP99(service.url, visited, ROUND_MS);
  const whileUploadingTo = (origin: string) => {
    const uploads = { origin, accounts: service.accounts.slice(1), paceMs: PACE_MS };
    return beside(new URL('./uploading.js', import.meta.url), uploads, p99);
  };
  const runs: Record<'service' | 'reader', number[]> = { service: [], reader: [] };
  try {
    const readerUrl = await reader.ask<string>({});
    // What they load and compile for it.
    await whileUploadingTo(service.url);
    for (let round = 0; round < ROUNDS; round++) {
      runs.reader.push(await whileUploadingTo(readerUrl));
      runs.service.push(await whileUploadingTo(service.url));
    }
  } finally {
    await Promise.all([service.stop(), reader.stop()]);
  }
  return [
    {
      name: 'status polls, p99, while two accounts upload a picture of 2 MiB a second each',
      unit: 'ms',
      ours: runs.service,
      bare: { what: 'the same while a server that only reads gets the pictures', runs: runs.reader },
      goal: { atMostTimesBare: 2 },
    },
  ];
}
