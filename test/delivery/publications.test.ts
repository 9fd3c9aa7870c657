import { createVault } from '@darkroom/storage';
import { createDeferred } from '@darkroom/testing';
import { createSemaphore, systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import { createPublications } from '../../src/delivery/publications.ts';
import { createShownPictures } from '../../src/delivery/shown-pictures.ts';
import type { FindResult } from '../../src/jobs/delivery-port.ts';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { aJob, CALLED_BY, REPLY_ID } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

test('what is erased while the bot looks for it is posted no more', async () => {
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
    },
    pictures: createShownPictures({
      fetchPicture: () => Promise.reject(new Error('unused')),
      fetchFile: () => Promise.reject(new Error('unused')),
      memory: createSemaphore(1),
      clock: systemClock,
      log,
    }),
    clock: systemClock,
    log,
  });
  const publishing = publications.publish(job.id, [], { locale: 'en', flagged: undefined });
  await looking.promise;
  await jobs.erase([job]);
  found.resolve({ state: 'absent' });
  expect(await publishing).toEqual({ state: 'undelivered' });
  expect(posted).toEqual([]);
});
