import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FailedTask, ImageClient } from '@darkroom/image-api';
import { ServiceError, toThousandths } from '@darkroom/image-api/contract';
import { createCleanup, OperatorError } from '@darkroom/process';
import { type Clock, MINUTE_MS, refdClock, retry } from '@darkroom/time';
import { loadConfig, NOTHING_KEPT } from '../config.ts';
import type { FinishedTask, PolledTask } from '../jobs/service-calls/task-poll.ts';
import { createLog } from '../log.ts';
import { serviceProblem } from '../operator/service-problem.ts';
import type { Words } from '../operator/words/words.ts';
import { machineProblem } from './machine-problem.ts';
import { whatIsTriedAgain } from './tried-again.ts';

/** Small, so that it is soon there and costs little, and of a size that every engine has. */
const SIZE = 512;
const PROMPT = 'a red fox in the snow under northern lights';
/** After so long somebody may wonder whether anything is going on. */
const LATE_MS = 30_000;
/** Volunteers take minutes. */
const LONGEST_MS = 15 * 60_000;

interface DrawOptions {
  file: string;
  words: Words;
  onProgress(percent: number): void;
  /** Why it is not there yet, as far as that is known; once for each reason. */
  onWait(why: string): void;
  signal: AbortSignal;
  clock?: Clock;
}

/**
 * One picture with these settings: by the service that `IMAGE_API_URL` names and on `IMAGE_API_KEY`, else by one that
 * lives only for it and keeps nothing. Written to `file` with the ending of its format. Resolves with the credits that
 * it cost, undefined where nobody pays or the service does not tell. Rejects with an `OperatorError`.
 */
export async function drawTestPicture(
  settings: Readonly<Record<string, string>>,
  { file, words, onProgress, onWait, signal, clock = refdClock }: DrawOptions,
) {
  const began = Date.now();
  let opened: Awaited<ReturnType<typeof serviceOf>> | undefined;
  const late = setTimeout(() => onWait(''), LATE_MS);
  const mayCost = Boolean(settings.IMAGE_API_URL);
  let isTaken = false;
  try {
    opened = await serviceOf(settings, whatIsTriedAgain(onWait, words));
    const { images, apiKey } = opened;
    const before = mayCost ? await creditsOf(images, apiKey, signal) : undefined;
    const { taskId } = await images.submit(
      { workflow: 'default', prompt: PROMPT, width: SIZE, height: SIZE },
      { apiKey, signal },
    );
    isTaken = true;
    const task = await follow(images, taskId, apiKey, { words, onProgress, signal, clock });
    if (task.state === 'failed') {
      // What a service says that it has not made is free.
      isTaken = false;
      throw new OperatorError(task.reason ?? 'the service does not say why.');
    }
    const { bytes, contentType } = await download(images, task.imageUrl, { signal, clock });
    const path = `${file}.${contentType.split('/').at(-1)}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    const after = mayCost ? await creditsOf(images, apiKey, signal) : undefined;
    const credits = before === undefined || after === undefined ? undefined : toThousandths(before - after);
    return { file: path, credits, seconds: Math.round((Date.now() - began) / 1_000) };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof ServiceError ? serviceProblem(error, words) : machineProblem(error, words);
    const isUnclear = mayCost && (isTaken || (error instanceof ServiceError && error.unclear));
    throw new OperatorError(isUnclear ? `${why} ${words.pictures.mayHaveCost}` : why, { cause: error });
  } finally {
    clearTimeout(late);
    await opened?.close();
  }
}

async function serviceOf(
  settings: Readonly<Record<string, string>>,
  destination: ReturnType<typeof whatIsTriedAgain>,
) {
  const { createImageClient } = await import('@darkroom/image-api');
  if (settings.IMAGE_API_URL) {
    const { IMAGE_API_URL: baseUrl, IMAGE_API_KEY: apiKey } = loadConfig(settings);
    const images = createImageClient({ baseUrl: baseUrl ?? '' });
    return { images, apiKey: apiKey ?? '', close: images.close };
  }
  const log = createLog({ level: 'warn', destination });
  const cleanup = createCleanup(log);
  try {
    const folder = await mkdtemp(join(tmpdir(), 'darkroom-setup-'));
    cleanup.add(() => rm(folder, { recursive: true, force: true }));
    const config = loadConfig({
      ...settings,
      ...NOTHING_KEPT,
      SERVICE_DATABASE_URL: `sqlite://${join(folder, 'service.sqlite')}`,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
    });
    const { openService, toMilli } = await import('@darkroom/image-service');
    const { service, url } = await openService(config, { log });
    cleanup.add(service.close);
    const images = createImageClient({ baseUrl: url });
    cleanup.add(images.close);
    // Whatever a picture costs by SERVICE_PRICES: this account pays with nothing.
    const { id } = await service.accounts.add('setup', { amount: toMilli(1_000_000) });
    return { images, apiKey: await service.keys.generate(id), close: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

const creditsOf = (images: ImageClient, apiKey: string, signal: AbortSignal): Promise<number | undefined> =>
  images.balance({ apiKey, signal }).then(
    ({ balance }) => balance,
    () => undefined,
  );

/** As the bot follows a task. Resolves with how the service has ended it. */
async function follow(
  images: ImageClient,
  taskId: string,
  apiKey: string,
  { words, onProgress, signal, clock }: Required<Omit<DrawOptions, 'file' | 'onWait'>>,
): Promise<FinishedTask | FailedTask> {
  const { createPoller } = await import('../jobs/service-calls/poller.ts');
  const poller = createPoller({
    images,
    // Of one task alone.
    rateLimiter: { run: (_guild, _what, call) => call(() => undefined) },
    clock,
    random: Math.random,
    metrics: { poll: () => undefined },
  });
  const acceptedAt = clock.now();
  let trouble: ServiceError | undefined;
  const task: PolledTask = {
    taskId,
    apiKey,
    acceptedAt,
    deadlineAt: acceptedAt + LONGEST_MS,
    cancelled: signal,
    onAnswer({ progress }) {
      trouble = undefined;
      if (progress !== undefined) onProgress(progress);
    },
    onTrouble(error) {
      trouble = error;
    },
  };
  const result = await poller.follow('setup', task, signal);
  switch (result.state) {
    case 'completed':
    case 'failed':
      return result;
    case 'error':
      throw result.error;
    case 'timed-out': {
      const late = `no picture within ${LONGEST_MS / 60_000} minutes`;
      throw new OperatorError(trouble === undefined ? late : `${late}: ${serviceProblem(trouble, words)}`);
    }
    case 'cancelled':
      throw signal.reason;
  }
}

/** It may be there a little later than its address. */
async function download(
  images: ImageClient,
  imageUrl: string,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
) {
  const { isTransient, RETRY_WAITS } = await import('../jobs/service-calls/poll-timing.ts');
  const completedAt = clock.now();
  const isRetryable = (error: unknown) => isTransient(error, clock.now() - completedAt);
  return retry(() => images.download(imageUrl, { signal, once: true }), {
    policy: { ...RETRY_WAITS, budgetMs: MINUTE_MS, isRetryable },
    clock,
    signal,
  });
}
