import { expect, test } from 'vitest';
import { createDraft } from '../../../src/bot/delivery/draft.ts';
import { createInsistence } from '../../../src/bot/delivery/insistence.ts';
import type { Way } from '../../../src/bot/delivery/ways.ts';
import type { Picture } from '../../../src/jobs/delivery.ts';
import { createLog } from '../../../src/log.ts';
import { createFakeClock } from '../../support/clock.ts';
import { failureOf } from '../../support/failure.ts';
import { aJob } from '../../support/job.ts';
import { A_PNG } from '../../support/polite-service.ts';

/** A way that always works, and a draft of a picture whose bytes are not there yet. */
function insistenceWorld() {
  const clock = createFakeClock();
  const { insist } = createInsistence({ clock, log: createLog({ level: 'silent' }), random: () => 0.5 });
  const place = { channelId: '400000000000000001', messageId: '600000000000000001' };
  const way: Way = {
    name: 'reply',
    inChannel: true,
    send: () => Promise.resolve(place),
    find: () => Promise.resolve('nowhere'),
  };
  const { bytes, ...bare } = { bytes: A_PNG, contentType: 'image/png', task: 0 };
  const picture = bare as Picture;
  const job = aJob();
  const draft = createDraft(job, [picture]);
  return {
    clock,
    place,
    develop: () => Object.assign(picture, { bytes }),
    insist: () => insist(way, draft, job, new AbortController().signal),
  };
}

test('a message that cannot be written is a mistake of ours, and no trouble of Discord to wait for', async () => {
  const { clock, insist } = insistenceWorld();
  expect(await failureOf(insist())).toBeInstanceOf(TypeError);
  expect(clock.sleeps).toEqual([]);
});

test('a message that could not be written is written anew for the next attempt', async () => {
  const { insist, develop, place } = insistenceWorld();
  await failureOf(insist());
  develop();
  expect(await insist()).toEqual(place);
});
