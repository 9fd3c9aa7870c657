import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createImageClient, type ImageClient, POLL_INTERVAL_MS, ServiceError } from '@darkroom/image-api';
import { messageOf, OperatorError } from '@darkroom/process';
import { refdClock } from '@darkroom/time';
import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';

/** Small, so that it is soon there and costs little, and of a size that every engine has. */
const SIZE = 512;
const PROMPT = 'a red fox in the snow under northern lights';
/** Volunteers take minutes. */
const LONGEST_MS = 15 * 60_000;

export interface TestPicture {
  file: string;
  /** Of a service that somebody pays; undefined where nobody does, or it does not tell. */
  credits: number | undefined;
  seconds: number;
}

/**
 * One picture with these settings: by the service that `IMAGE_API_URL` names and on `IMAGE_API_KEY`, else by one that
 * lives only for it and keeps nothing. Written to `file` with the ending of its format. Rejects with an `OperatorError`.
 */
export async function drawTestPicture(
  settings: Readonly<Record<string, string>>,
  { file, onProgress, signal }: { file: string; onProgress(percent: number): void; signal: AbortSignal },
): Promise<TestPicture> {
  const began = Date.now();
  const { images, apiKey, close } = await serviceOf(settings);
  try {
    const mayCost = Boolean(settings.IMAGE_API_URL);
    const before = mayCost ? await creditsOf(images, apiKey, signal) : undefined;
    const { taskId } = await images.submit(
      { workflow: 'default', prompt: PROMPT, width: SIZE, height: SIZE },
      { apiKey, signal },
    );
    const imageUrl = await follow(images, taskId, { apiKey, onProgress, signal });
    const { bytes, contentType } = await images.download(imageUrl, { signal });
    const path = `${file}.${contentType.split('/').at(-1)}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    const after = mayCost ? await creditsOf(images, apiKey, signal) : undefined;
    const credits = before === undefined || after === undefined ? undefined : before - after;
    return { file: path, credits, seconds: Math.round((Date.now() - began) / 1_000) };
  } catch (error) {
    signal.throwIfAborted();
    throw new OperatorError(messageOf(error), { cause: error });
  } finally {
    await close();
  }
}

interface OpenedService {
  images: ImageClient;
  apiKey: string;
  close(): Promise<void>;
}

async function serviceOf(settings: Readonly<Record<string, string>>): Promise<OpenedService> {
  if (settings.IMAGE_API_URL) {
    const { IMAGE_API_URL: baseUrl, IMAGE_API_KEY: apiKey } = loadConfig(settings);
    const images = createImageClient({ baseUrl: baseUrl ?? '' });
    return { images, apiKey: apiKey ?? '', close: images.close };
  }
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-setup-'));
  const { SECRET_KEY: _, PICTURES_URL: __, ...engines } = settings;
  const config = loadConfig({
    ...engines,
    SERVICE_DATABASE_URL: `sqlite://${join(folder, 'service.sqlite')}`,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    PUBLIC_BASE_URL: '',
  });
  const { openService, toMilli } = await import('@darkroom/image-service');
  const { service, url } = await openService(config, { log: createLog({ level: 'silent' }) });
  const images = createImageClient({ baseUrl: url });
  const close = async () => {
    await images.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { id } = await service.accounts.add('setup');
    // Whatever a picture costs by SERVICE_PRICES: this account pays with nothing.
    await service.ledger.grant({ accountId: id, amount: toMilli(1_000_000), note: 'a test picture' });
    return { images, apiKey: await service.keys.generate(id), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const creditsOf = (images: ImageClient, apiKey: string, signal: AbortSignal): Promise<number | undefined> =>
  images.balance({ apiKey, signal }).then(
    ({ balance }) => balance,
    () => undefined,
  );

/** Polls until the picture is there. Resolves with its address. */
async function follow(
  images: ImageClient,
  taskId: string,
  { apiKey, onProgress, signal }: { apiKey: string; onProgress(percent: number): void; signal: AbortSignal },
): Promise<string> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    await refdClock.sleep(POLL_INTERVAL_MS.min, signal);
    const task = await images.status(taskId, { apiKey, signal }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.retryAfterMs !== undefined) return undefined;
      throw error;
    });
    if (task?.state === 'completed') {
      if (task.imageUrl === undefined) throw new OperatorError('the service names no picture.');
      return task.imageUrl;
    }
    if (task?.state === 'failed') throw new OperatorError(task.reason ?? 'the service does not say why.');
    if (task?.progress !== undefined) onProgress(task.progress);
  }
  throw new OperatorError(`no picture within ${LONGEST_MS / 60_000} minutes`);
}
