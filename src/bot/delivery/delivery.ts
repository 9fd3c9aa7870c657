import type { REST } from 'discord.js';
import type { Clock } from '../../clock.ts';
import { unlessAborted } from '../../deadline.ts';
import type { Delivery, Place } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Log } from '../../log.ts';
import { textsFor } from '../locale/texts.ts';
import { renderNote } from '../render.ts';
import { createDraft, plainDraft } from './draft.ts';
import { createInsistence } from './insistence.ts';
import { findInReply } from './posted.ts';
import { createProgressReports } from './progress-reports.ts';
import { waysToPost, wayToReply } from './ways.ts';

/** How long Discord may fail before the reply is left as it is: only words are missing there. */
const NOTE_PATIENCE_MS = 2 * 60_000;

const WAITS = {
  unsure: 'Discord failed for too long; the outcome waits in /jobs',
  unseen: 'an attempt may have arrived where nobody can look; the outcome waits in /jobs',
};

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
  const discord = { bot, webhooks, clock };
  const replyOf = (job: Job) => wayToReply(job, jobs.unseal(job), discord);
  const { attempt, look, insist } = createInsistence({ clock, log, random });
  const reports = createProgressReports({ clock, log, wayTo: replyOf, attempt });

  /** Where the reply still stands while the outcome went elsewhere, it says so, as far as Discord lets it. */
  async function leaveNote(job: Job, place: Place | undefined, signal: AbortSignal): Promise<void> {
    const reply = replyOf(job);
    const note = plainDraft(renderNote(job, place, textsFor(job.member.locale)));
    if (reply) await insist(reply, note, job, signal, NOTE_PATIENCE_MS);
  }

  return {
    show: reports.show,

    async deliver(job, pictures, signal, onPosted) {
      await unlessAborted(signal, reports.finish(job.id));
      const draft = createDraft(job, pictures);
      const reply = replyOf(job);
      const ways = [...(reply ? [reply] : []), ...waysToPost(job, discord)];
      let channelClosed = false;
      for (const way of ways) {
        if (channelClosed && way.inChannel) continue;
        const answer = await insist(way, draft, job, signal);
        if (answer === 'unsure' || answer === 'unseen') {
          log.error({ job: job.id, way: way.name }, WAITS[answer]);
          return { state: 'waiting', unsure: true, unseen: answer === 'unseen' };
        }
        if (answer === 'channel-closed') channelClosed = true;
        if (typeof answer === 'string') continue;
        log.info({ job: job.id, way: way.name }, 'delivered');
        if (way !== reply) {
          await onPosted(answer);
          await leaveNote(job, answer, signal);
        }
        return { state: 'delivered', ...answer };
      }
      await leaveNote(job, undefined, signal);
      return { state: 'waiting', unsure: false };
    },

    async find(job, signal) {
      if (job.posted) {
        await leaveNote(job, job.posted, signal);
        return job.posted;
      }
      const secrets = jobs.unseal(job);
      const reply = {
        find: (within: AbortSignal) => findInReply({ job, secrets, ...discord, signal: within }),
      };
      const inReply = await look(reply, signal);
      if (typeof inReply === 'object') return inReply;
      for (const way of waysToPost(job, discord)) {
        // Discord stops bots that open many conversations at once, as a start with many jobs under way would.
        if (!way.inChannel && job.endedAt === undefined) continue;
        const found = await look(way, signal);
        if (typeof found !== 'object') continue;
        // A process that ended in between has left none.
        await leaveNote(job, found, signal);
        return found;
      }
      // What was begun long ago still says how far it is, and may be answered elsewhere from now on.
      if (inReply === 'nowhere' && job.state === 'waiting') await leaveNote(job, undefined, signal);
      return inReply;
    },
  };
}
