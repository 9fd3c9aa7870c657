import { setTimeout as delay } from 'node:timers/promises';
import { MessageFlags } from 'discord.js';
import type { Answer } from '../../../src/local-discord/hand/hand.ts';
import { Refusal } from '../../../src/local-discord/hand/refusal.ts';
import type { LocalDiscord } from '../../../src/local-discord/local-discord.ts';
import { BOT } from '../../support/local-discord.ts';
import type { Act } from './acts.ts';
import type { Diary } from './diary.ts';
import type { Sightings } from './sightings.ts';

/** How long a person waits for the list of their jobs, in real milliseconds. */
const LIST_MS = 4_000;

/** Something that a person asked of the bot, and what they saw first. */
export interface Asked {
  /** Whether it asks for pictures. */
  forPictures: boolean;
  answer: Answer;
  /** Real milliseconds since the epoch; when the answer came. */
  at: number;
}

/** What people did that explains what is left. */
export interface Doings {
  asked: Asked[];
  /** Messages that somebody has deleted, or pressed Delete under. */
  deleted: Set<string>;
  /** Jobs that their member has stopped. */
  stopped: Set<string>;
  /** Jobs that their member has asked to be shown in /jobs. */
  shown: Set<string>;
}

/** Who asks for pictures here and there, several at once, and presses buttons. */
export function createPeople({
  discord,
  people,
  channels,
  sightings,
  diary,
}: {
  discord: LocalDiscord;
  people: readonly string[];
  channels: readonly string[];
  sightings: Sightings;
  diary: Diary;
}) {
  const doings: Doings = { asked: [], deleted: new Set(), stopped: new Set(), shown: new Set() };
  const busy = new Set<Promise<void>>();
  const personOf = (who: number) => people[who % people.length] ?? '';

  async function ask(what: string, about: string[], send: () => Promise<Answer>, forPictures = false) {
    const answer = await send();
    diary.note('person', `${what}: ${answer.kind}`, [...about, answer.interactionId]);
    doings.asked.push({ forPictures, answer, at: Date.now() });
    return answer;
  }

  /** Runs /jobs, waits for the list, and presses what `choose` finds in it. */
  async function openJobs(
    userId: string,
    channelId: string,
    choose: (ids: (press: 'stop' | 'show') => string[]) => [press: 'stop' | 'show', jobId: string][],
  ): Promise<void> {
    const hand = discord.as(userId);
    const answer = await ask('runs /jobs', [userId], () => hand.invoke(channelId, 'jobs'));
    if (answer.kind !== 'message') return;
    const { id } = answer.message;
    const isList = (message: { id: string; flags?: number }) =>
      message.id === id && (Number(message.flags) & MessageFlags.Loading) === 0;
    const list = await hand
      .waitForMessage(isList, { channelId, signal: AbortSignal.timeout(LIST_MS) })
      .catch(() => undefined);
    const buttons = JSON.stringify(list?.components ?? []);
    const idsOf = (press: string) =>
      [...buttons.matchAll(new RegExp(`jobs:${press}:(\\d+)`, 'g'))].map(([, found = '']) => found);
    for (const [press, jobId] of choose(idsOf)) {
      if (press === 'show') doings.shown.add(jobId);
      else doings.stopped.add(jobId);
      await ask(`presses ${press}`, [jobId], () => hand.press(id, `jobs:${press}:${jobId}`));
    }
  }

  async function perform(act: Act): Promise<void> {
    const userId = personOf(act.who);
    const hand = discord.as(userId);
    const placeOf = (where: number) => channels[where] ?? hand.openDirectMessage(BOT).id;
    switch (act.kind) {
      case 'ask': {
        const { options, erasedAfterMs } = act;
        const what = `asks for ${options.count} of ${options.prompt}`;
        const answer = await ask(what, [], () => hand.invoke(placeOf(act.where), 'imagine', options), true);
        if (answer.kind !== 'message' || erasedAfterMs === undefined) return;
        await delay(erasedAfterMs);
        const { id } = answer.message;
        if (!hand.message(id)) return;
        doings.deleted.add(id);
        discord.world.deleteMessage(id);
        return;
      }
      case 'again':
      case 'delete': {
        const own = sightings
          .outcomes()
          .filter(({ memberId, messageId }) => memberId === userId && hand.message(messageId));
        const outcome = own[act.nth % own.length];
        if (!outcome) return;
        const { messageId, jobId } = outcome;
        if (act.kind === 'delete') doings.deleted.add(messageId);
        const button = act.kind === 'again' ? `imagine:again:${jobId}` : `imagine:delete:${userId}`;
        const press = () => hand.press(messageId, button);
        await ask(`presses ${act.kind}`, [messageId, jobId], press, act.kind === 'again');
        return;
      }
      case 'jobs': {
        const { press, nth } = act;
        await openJobs(userId, placeOf(act.where), (idsOf) => {
          const ids = idsOf(press);
          const id = ids[nth % ids.length];
          return id === undefined ? [] : [[press, id]];
        });
      }
    }
  }

  /** What Discord's client does not let a person do is not done. */
  const unlessRefused = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });

  return {
    doings,
    /** Begins an act and does not wait for it. */
    perform(act: Act): void {
      const work = unlessRefused(perform(act)).finally(() => busy.delete(work));
      busy.add(work);
    },
    /** Resolves when everybody has got what answers they get. */
    async idle(): Promise<void> {
      while (busy.size > 0) await Promise.all(busy);
    },
    /** Has a person fetch all that waits for them. */
    collect: (userId: string): Promise<void> =>
      unlessRefused(openJobs(userId, channels[0] ?? '', (idsOf) => idsOf('show').map((id) => ['show', id]))),
  };
}
