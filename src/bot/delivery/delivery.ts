import type { REST } from 'discord.js';
import type { Clock } from '../../clock.ts';
import type { Delivery, Place } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Log } from '../../log.ts';
import { textsFor } from '../locale/texts.ts';
import { renderNote } from '../render.ts';
import { createDraft } from './draft.ts';
import { createInsistence } from './insistence.ts';
import { findInReply, findPosted } from './posted.ts';
import { createProgressReports } from './progress-reports.ts';
import { directChannel, type Way, waysToPost, waysToReply } from './ways.ts';

/** From a job to its member through Discord: paced progress, and an outcome that tries every way there is. */
export function createDelivery({
  jobs,
  bot,
  webhooks,
  clock,
  log,
  random = Math.random,
}: {
  jobs: Pick<JobStore, 'unseal'>;
  /** With the bot's token. */
  bot: REST;
  /** Without it: for interaction webhooks. */
  webhooks: REST;
  clock: Clock;
  log: Log;
  /** In [0, 1): the jitter of waits. */
  random?: () => number;
}): Delivery {
  const startedAt = clock.now();
  const discord = { bot, webhooks, clock };
  const toReply = (job: Job) => waysToReply(job, jobs.unseal(job), discord);
  const { attempt, insist } = createInsistence({ clock, log, random });
  const reports = createProgressReports({ clock, log, waysTo: toReply, attempt });

  /** Where the reply still stands while the outcome went elsewhere, it says so: once, as far as Discord lets it. */
  async function leaveNote(job: Job, place: Place | undefined, signal: AbortSignal): Promise<void> {
    const note = renderNote(job, place, textsFor(job.member.locale));
    for (const way of toReply(job)) {
      try {
        await attempt(way, note, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        log.debug({ err: error, job: job.id, way: way.name }, 'no note could be left where the reply stands');
      }
    }
  }

  return {
    show: reports.show,

    async deliver(job, pictures, signal) {
      await reports.finish(job.id);
      const draft = createDraft(job, pictures);
      const suspect = job.unsure === true || job.createdAt < startedAt;
      const ways: Way[] = [...toReply(job), ...waysToPost(job, suspect, discord)];
      let channelClosed = false;
      for (const way of ways) {
        if (channelClosed && way.inChannel) continue;
        const answer = await insist(way, draft, job, signal);
        if (answer === 'unsure') return { state: 'waiting', unsure: true };
        if (answer === 'channel-closed') channelClosed = true;
        if (typeof answer === 'string') continue;
        log.info({ job: job.id, way: way.name }, 'delivered');
        if (way.name === 'post' || way.name === 'direct') await leaveNote(job, answer, signal);
        return { state: 'delivered', ...answer };
      }
      await leaveNote(job, undefined, signal);
      return { state: 'waiting', unsure: false };
    },

    async find(job, signal) {
      const looks = [
        () => findInReply({ bot, job, signal }),
        async () => (job.private ? undefined : findPosted({ bot, job, channelId: job.channelId, signal })),
        async () => findPosted({ bot, job, channelId: await directChannel(bot, job, signal), signal }),
      ];
      for (const look of looks) {
        try {
          const place = await look();
          if (place) return place;
        } catch (error) {
          signal.throwIfAborted();
          log.debug({ err: error, job: job.id }, 'a place could not be searched for an outcome');
        }
      }
      return undefined;
    },
  };
}
