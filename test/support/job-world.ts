import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImageClient, Task } from '@darkroom/image-api';
import { ServiceError } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { until } from '@darkroom/testing';
import { createSemaphore, DAY_MS, raceAbort } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import { A_KEY, A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import type { Payer } from '../../src/credentials/key-owner.ts';
import type { Delivery, JobPicture } from '../../src/jobs/delivery-port.ts';
import { type AttachedFile, FileGoneError } from '../../src/jobs/input.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { LockJob } from '../../src/jobs/job-locks.ts';
import type { Caller, JobRequest } from '../../src/jobs/job-request.ts';
import { createJobStore, type JobStore } from '../../src/jobs/job-store.ts';
import { openPictureSpool } from '../../src/jobs/picture-spool.ts';
import { createIdempotencySupport } from '../../src/jobs/service-calls/idempotency.ts';
import { createRateLimiter } from '../../src/jobs/service-calls/rate-limiter.ts';
import { createServiceAccess } from '../../src/jobs/service-calls/service-access.ts';
import type { Shard } from '../../src/jobs/shard.ts';
import type { TaskProgress } from '../../src/jobs/task-progress.ts';
import { createTracker } from '../../src/jobs/tracker.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { CALLED_BY, REPLY_ID } from './job.ts';
import { completed } from './poll-world.ts';
import { createStoreWorld } from './store.ts';

type Submitted = Parameters<ImageClient['submit']>;
type Downloaded = Awaited<ReturnType<ImageClient['download']>>;

/** What the image service does; each function may be replaced by a test. */
export interface Script {
  submit(submission: Submitted[0], options: Submitted[1], nth: number): Promise<{ taskId: string }>;
  status(taskId: string): Promise<Task>;
  download(url: string, options: Parameters<ImageClient['download']>[1]): Promise<Downloaded>;
  cancel(taskId: string): Promise<Task>;
  upload(
    bytes: Uint8Array,
    options: Parameters<ImageClient['upload']>[1],
  ): Promise<{ id: string; width: number; height: number }>;
  keyOf(payer: Payer): Promise<string | undefined>;
  fetchFile(file: AttachedFile): Promise<Uint8Array>;
  deliver(job: Job, signal: AbortSignal): ReturnType<Delivery['deliver']>;
  find(job: Job): ReturnType<Delivery['find']>;
  withdraw(job: Job, signal: AbortSignal): ReturnType<Delivery['withdraw']>;
  stopShowing(): Promise<void>;
  /** Whether every answer announces that idempotency keys are supported; failures announce nothing. */
  idempotencySupported: boolean;
}

/** A member with an interaction of this id, which is its job's. */
export const callerOf = (id: string): Caller => ({
  ...CALLED_BY,
  interaction: { id, token: 'aW50ZXJhY3Rpb246token', createdAt: Date.UTC(2026, 0, 1), aheadMs: 0 },
  parentId: undefined,
  roles: [],
  botIsMember: async () => true,
  serverHasApp: async () => true,
  isAgeRestricted: async () => false,
});

export const CALLER = callerOf('100000000000000001');

export const request = (rest: Partial<JobRequest> = {}): JobRequest => ({
  caller: CALLER,
  submission: { prompt: 'a red fox in the snow', width: 512, height: 512, workflow: 'default' },
  count: 1,
  private: false,
  credential: { apiKey: A_KEY, payer: { kind: 'operator' } },
  ...rest,
});

/** Discord takes the first answer, and tells the id of the reply. */
export const acknowledge = () => Promise.resolve(REPLY_ID);

/** What has become of each task: why it failed, else its state. */
export const failures = (job: Job | undefined) =>
  job?.tasks.map((one) => (one.state === 'failed' ? one.failure.kind : one.state));

/** What a delivery comes to that edits the reply. */
export const DELIVERED = {
  state: 'delivered',
  message: { channelId: CALLED_BY.channelId, messageId: REPLY_ID },
  shownAt: 0,
} as const;

/** Jobs on a real store, with an image service and a delivery made of functions, and a clock that only tests move. */
export async function createJobWorld(script: Partial<Script> = {}) {
  const stored = await createStoreWorld();
  const clock = createFakeClock();
  const vault = createVault(['ab'.repeat(32)]);
  const submissions: { submission: Submitted[0]; idempotencyKey: string | undefined }[] = [];
  const delivered: { job: Job; pictures: readonly JobPicture[] }[] = [];
  const withdrawn: Job[] = [];
  const told: Job[] = [];
  /** With which key each job has ended. */
  const endedWith: (string | undefined)[] = [];
  const shown: { job: Job; progress: readonly TaskProgress[] }[] = [];
  const service: Script = {
    submit: (_submission, _options, nth) => Promise.resolve({ taskId: `task-${nth}` }),
    status: () => Promise.resolve(completed),
    download: () => Promise.resolve({ bytes: A_PNG, contentType: 'image/png' }),
    cancel: () => Promise.reject(new ServiceError('not-found', 'this service cannot end a task')),
    upload: () => Promise.resolve({ id: 'f0f0', width: 64, height: 64 }),
    keyOf: () => Promise.resolve(undefined),
    fetchFile: () => Promise.resolve(A_PNG),
    deliver: () => Promise.resolve(DELIVERED),
    find: () => Promise.resolve({ state: 'absent' }),
    withdraw: () => Promise.resolve('withdrawn'),
    stopShowing: () => Promise.resolve(),
    idempotencySupported: false,
    ...script,
  };

  /** A client that has heard nothing yet. */
  function connect(): Pick<
    ImageClient,
    'submit' | 'status' | 'cancel' | 'download' | 'upload' | 'idempotencySupported'
  > {
    let supported: boolean | undefined;
    async function hear<Result>(answer: Promise<Result>): Promise<Result> {
      const result = await answer;
      supported = service.idempotencySupported;
      return result;
    }
    return {
      async submit(submission, options) {
        submissions.push({ submission, idempotencyKey: options.idempotencyKey });
        const answer = service.submit(submission, options, submissions.length - 1);
        // Rejects when the caller no longer wants it, as every call of a real client does.
        const { taskId } = await hear(options.signal ? raceAbort(options.signal, answer) : answer);
        return { taskId, message: undefined, cost: undefined, seed: undefined, warnings: [] };
      },
      status: (taskId) => hear(service.status(taskId)),
      cancel: (taskId) => service.cancel(taskId),
      download: (url, options) => service.download(url, options),
      upload: async (bytes, options) => ({
        ...(await service.upload(bytes, options)),
        bytes: bytes.byteLength,
        expiresAt: new Date(clock.now() + DAY_MS),
        warnings: [],
      }),
      idempotencySupported: () => supported,
    };
  }
  const delivery: Delivery = {
    show: (job, progress) => void shown.push({ job, progress }),
    stopShowing: () => service.stopShowing(),
    tellReady() {},
    rest: (ms, signal) => clock.sleep(ms, signal),
    find: (job) => service.find(job),
    withdraw: async (job, signal) => {
      withdrawn.push(job);
      return service.withdraw(job, signal);
    },
    tellCancelled: async (job) => void told.push(job),
    async deliver(job, pictures, signal) {
      delivered.push({ job, pictures: await Promise.all(pictures.map((picture) => picture.read(signal))) });
      return service.deliver(job, signal);
    },
  };

  /**
   * A tracker on the same rows, as in a process of its own. `name`: of its image service. `shard`: the only one
   * unless given.
   */
  async function startTracker(name = 'https://images.example.com', shard?: Shard, lockJob?: LockJob) {
    const images = connect();
    const store = await stored.reopen();
    const { log } = stored;
    const jobs = createJobStore({ store, vault, clock });
    const rateLimiter = createRateLimiter({ callsPerSecond: 1_000 });
    const spool = await openPictureSpool({ folder: join(stored.folder, 'spool'), log });
    const deps = {
      jobs,
      service: createServiceAccess({
        name,
        images,
        idempotency: await createIdempotencySupport({ store, images, serviceName: name, log }),
        rateLimiter,
        clock,
        log,
        metrics: noMetrics,
      }),
      keyOf: (payer: Payer) => service.keyOf(payer),
      pictures: {
        spool,
        memory: createSemaphore(64 * 1024 ** 2),
        inputMemory: createSemaphore(64 * 1024 ** 2),
        fetchFile: (file: AttachedFile, signal: AbortSignal) => raceAbort(signal, service.fetchFile(file)),
        findShown: () => Promise.reject(new FileGoneError('no message shows a picture')),
      },
      delivery,
      events: {
        delivered: () => undefined,
        ended: (_job: Job, apiKey?: string) => void endedWith.push(apiKey),
      },
      clock,
      log,
    };
    const tracker = createTracker({
      ...deps,
      store,
      lockJob,
      part: () => 1,
    });
    tracker.follow(shard);
    onTestFinished(async () => {
      let stopped = false;
      const stopping = tracker.stop().finally(() => {
        stopped = true;
      });
      await pass(() => stopped);
      await stopping;
      rateLimiter.close();
    });
    return { tracker, jobs, deps };
  }

  /**
   * Lets time pass in steps until `done`, ever more slowly: what is written and what is limited takes real time, and
   * however much that is, less than ten minutes pass.
   */
  async function pass(done: () => boolean | Promise<boolean>): Promise<void> {
    let steps = 0;
    await until(async () => {
      if (await done()) return true;
      await clock.advance(250);
      await delay(steps++ / 50);
      return false;
    }, 'what was waited for');
  }

  const untilState = (jobs: JobStore, id: string, state: Job['state']) =>
    pass(async () => (await jobs.find(id))?.state === state);

  return {
    ...stored,
    clock,
    untilState,
    service,
    submissions,
    delivered,
    withdrawn,
    told,
    endedWith,
    shown,
    startTracker,
    /** A tracker that is started, and goes on with what an earlier one has left. */
    async resumeJobs() {
      const started = await startTracker();
      await started.tracker.resume();
      return started;
    },
    /** A tracker that is started, and a job that begins with it. */
    async beginJob(rest?: Partial<JobRequest>) {
      const started = await startTracker();
      await started.tracker.begin(request(rest), acknowledge);
      return started;
    },
    pass,
  };
}
