import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, createSemaphore } from '@darkroom/time';
import { createKeysInUse } from '../bot/keys-in-use.ts';
import { createDelivery } from '../delivery/delivery.ts';
import type { MessageApi } from '../delivery/message-api.ts';
import type { Notices } from '../delivery/notices.ts';
import { createPublications } from '../delivery/publications.ts';
import { createShownPictures } from '../delivery/shown-pictures.ts';
import { createCancellations } from '../jobs/cancellations.ts';
import { createPreviewFetch } from '../jobs/fetch-preview.ts';
import { createIdempotencySupport } from '../jobs/idempotency.ts';
import { isOver } from '../jobs/job.ts';
import { openPictureSpool } from '../jobs/picture-spool.ts';
import { createRateLimiter } from '../jobs/rate-limiter.ts';
import type { RunDependencies } from '../jobs/run.ts';
import { createServiceAccess } from '../jobs/service-access.ts';
import { createTracker } from '../jobs/tracker.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { Metrics, Readings } from '../observability/metrics.ts';
import type { Shards } from '../shards/shards.ts';
import type { Records } from './records.ts';

/** Bytes of pictures in memory on their way in, and as many on their way out. Each costs some copies of itself while it is sent. */
const PICTURE_MEMORY = 32 * 1024 ** 2;

/** From a request to the message with its pictures: submits, follows and delivers, and shows again what was delivered. */
export async function openGeneration({
  records,
  images,
  service,
  fetchFile,
  discord,
  notices,
  nextSteps,
  lockJob,
  callsPerSecond,
  afterAnother,
  spoolFolder,
  clock,
  log,
  metrics,
}: {
  records: Records;
  images: ImageClient;
  /** As `BotDependencies`. */
  service: string;
  /** Reads what Discord keeps. */
  fetchFile: RunDependencies['pictures']['fetchFile'];
  discord: MessageApi;
  notices: Notices;
  nextSteps: OfferedSteps;
  /** Where several processes share the jobs. */
  lockJob: Shards['lockJob'];
  callsPerSecond: number;
  afterAnother: boolean;
  spoolFolder: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}) {
  const { store, jobs } = records;
  const idempotency = await createIdempotencySupport({ store, images, service, log });
  const rateLimiter = createRateLimiter({ callsPerSecond, afterAnother });
  const spool = await openPictureSpool({ folder: spoolFolder, log });
  const outgoing = createSemaphore(PICTURE_MEMORY);
  const delivery = createDelivery({
    discord,
    notices,
    fetchPreview: createPreviewFetch({ images, rateLimiter }),
    nextSteps,
    memory: outgoing,
    clock,
    log,
    metrics,
  });
  const keysInUse = createKeysInUse({ ...records, images, notices, clock, log });
  const access = createServiceAccess({
    name: service,
    client: images,
    idempotency,
    rateLimiter,
    clock,
    log,
    metrics,
  });
  const tracker = createTracker({
    jobs,
    otherProcesses: { cancellations: createCancellations({ store }), lockJob },
    service: access,
    pictures: { spool, memory: createSemaphore(PICTURE_MEMORY), fetchFile },
    delivery,
    clock,
    log,
    events: {
      delivered: metrics.delivered,
      ended(job, apiKey) {
        metrics.jobEnded(job.state);
        if (apiKey === undefined) return;
        keysInUse.jobEnded(job, apiKey);
        records.knownModels.jobEnded(job);
      },
    },
    random: Math.random,
  });
  const shownPictures = createShownPictures({ images, memory: outgoing, log });

  return {
    tracker,
    shownPictures,
    publications: createPublications({
      jobs,
      publisher: delivery,
      pictures: shownPictures,
      nextSteps,
      clock,
      log,
    }),

    readings(): Omit<Readings, 'shards'> {
      const { count, oldestAt } = tracker.runningJobs();
      return {
        runningJobs: count,
        oldestJobMs: oldestAt === undefined ? 0 : clock.now() - oldestAt,
        waitingCalls: rateLimiter.waiting(),
        waitingTurns: access.keyTurns.waiting(),
        stalledMs: access.poller.stalledMs(),
      };
    },

    /** Removes, once a day, what is left on disk of jobs that are over. */
    async sweepDaily(signal: AbortSignal): Promise<void> {
      const isNeeded = async (id: string) => {
        const job = await jobs.find(id);
        return job !== undefined && !isOver(job);
      };
      await spool.sweepDaily(isNeeded, { clock, signal });
    },

    /** What runs is written down for the next process. */
    stop: tracker.stop,

    /** After `stop`: ends the calls to the service. */
    close: rateLimiter.close,
  };
}
