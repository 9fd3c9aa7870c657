import { createVault } from '@darkroom/storage';
import { createDeferred } from '@darkroom/testing';
import { createSemaphore, systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import { createPublications, type Published } from '../../../src/delivery/pictures/publications.ts';
import { createShownPictures } from '../../../src/delivery/pictures/shown-pictures.ts';
import type { FindResult } from '../../../src/jobs/delivery-port.ts';
import type { Job } from '../../../src/jobs/job.ts';
import { createJobStore, type JobStore } from '../../../src/jobs/job-store.ts';
import { aJob, CALLED_BY, REPLY_ID } from '../../support/job.ts';
import { createStoreWorld } from '../../support/store.ts';

test.each<[string, Published['state'], (jobs: JobStore, job: Job) => Promise<unknown>]>([
  ['erased', 'undelivered', (jobs, job) => jobs.erase([job])],
  ['deleted', 'removed', (jobs, { id }) => jobs.amend(id, (job) => ({ ...job, removed: true }))],
])('what is %s while the bot looks for it is posted no more', async (_, state, remove) => {
  const { store, log } = await createStoreWorld();
  const jobs = createJobStore({ store, vault: createVault(['ab'.repeat(32)]) });
  // An earlier process may have posted it.
  const job = aJob({
    state: 'delivered',
    private: true,
    publishing: 1,
    posted: { channelId: CALLED_BY.channelId, messageId: REPLY_ID },
  });
  await jobs.create(job);
  const looking = createDeferred<void>();
  const found = createDeferred<FindResult>();
  const posted: Job[] = [];
  const publications = createPublications({
    jobs,
    publisher: {
      findPublished() {
        looking.resolve();
        return found.promise;
      },
      async publish(published) {
        posted.push(published);
        return { state: 'unconfirmed' };
      },
      showAgain: () => Promise.reject(new Error('unused')),
    },
    pictures: createShownPictures({
      fetchPicture: () => Promise.reject(new Error('unused')),
      fetchFile: () => Promise.reject(new Error('unused')),
      memory: createSemaphore(1),
      clock: systemClock,
      log,
    }),
    deleteByBot: () => Promise.reject(new Error('unused')),
    clock: systemClock,
    log,
  });
  const publishing = publications.publish(job.id, [], { locale: 'en', flagged: undefined });
  await looking.promise;
  await remove(jobs, job);
  found.resolve({ state: 'absent' });
  expect(await publishing).toEqual({ state });
  expect(posted).toEqual([]);
});
