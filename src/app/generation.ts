import { createSemaphore } from '@darkroom/time';
import { createDelivery } from '../delivery/delivery.ts';
import { createPublications } from '../delivery/pictures/publications.ts';
import { createRemovedPictures } from '../delivery/pictures/removed-pictures.ts';
import { createShownPictures } from '../delivery/pictures/shown-pictures.ts';
import { isOver } from '../jobs/job.ts';
import { openPictureSpool } from '../jobs/picture-spool.ts';
import { createIdempotencySupport } from '../jobs/service-calls/idempotency.ts';
import { createRateLimiter } from '../jobs/service-calls/rate-limiter.ts';
import { createServiceAccess } from '../jobs/service-calls/service-access.ts';
import { createTracker } from '../jobs/tracker.ts';
import type { Metrics, Readings } from '../observability/metrics.ts';
import type { Shards } from '../shards/shards.ts';
import type { BotParts } from './bot-parts.ts';
import { createKeyWatch } from './key-watch.ts';

/**
 * Bytes of pictures in memory on their way to the service, as many from it, and as many to Discord. Sending one takes
 * some copies of it.
 */
const PICTURE_MEMORY = 32 * 1024 ** 2;

export type Generation = Awaited<ReturnType<typeof openGeneration>>;

/** From a request to the message with its pictures: submits, follows, delivers, and shows them again. */
export async function openGeneration({
  records,
  service: { client: images, name, callsPerSecond },
  discord: { messages: discord, files, part },
  nextSteps,
  spoolFolder,
  lockJob,
  afterAnother,
  clock,
  log,
  metrics,
}: BotParts & {
  spoolFolder: string;
  /** Where several processes share the jobs. */
  lockJob: Shards['lockJob'];
  afterAnother: boolean;
  metrics: Metrics;
}) {
  const { store, jobs } = records;
  const idempotency = await createIdempotencySupport({ store, images, serviceName: name, log });
  const rateLimiter = createRateLimiter({ callsPerSecond, afterAnother });
  const spool = await openPictureSpool({ folder: spoolFolder, log });
  const access = createServiceAccess({
    name,
    images,
    idempotency,
    rateLimiter,
    clock,
    log,
    metrics,
  });
  const outgoing = createSemaphore(PICTURE_MEMORY);
  const delivery = createDelivery({
    discord,
    fetchPreview: access.fetchPreview,
    nextSteps,
    part,
    memory: outgoing,
    clock,
    log,
    metrics,
  });
  const keyWatch = createKeyWatch({ ...records, images, discord, clock, log });
  const tracker = createTracker({
    jobs,
    store,
    lockJob,
    part,
    service: access,
    keyOf: records.credentials.keyOf,
    pictures: {
      spool,
      memory: createSemaphore(PICTURE_MEMORY),
      inputMemory: createSemaphore(PICTURE_MEMORY),
      ...files,
    },
    delivery,
    clock,
    log,
    events: {
      delivered: metrics.delivered,
      ended(job, apiKey) {
        metrics.jobEnded(job.state);
        if (apiKey !== undefined) keyWatch.jobEnded(job, apiKey);
      },
    },
  });
  const shownPictures = createShownPictures({
    ...files,
    fetchPicture: access.fetchPicture,
    memory: outgoing,
    clock,
    log,
  });

  const removedPictures = createRemovedPictures({ jobs, discord, log });
  const publications = createPublications({
    jobs,
    publisher: delivery,
    pictures: shownPictures,
    deleteByBot: removedPictures.deleteByBot,
    clock,
    log,
  });

  return {
    tracker,
    shownPictures,
    removedPictures,
    publications,

    readings(): Omit<Readings, 'shards' | 'identifiesLeft'> {
      return {
        ...tracker.readings(),
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
    async stop() {
      await Promise.all([tracker.stop(), publications.stop()]);
      await keyWatch.stop();
    },

    /** After `stop`: ends the calls to the service. */
    close: rateLimiter.close,
  };
}
