import { describeInChromium } from '@darkroom/testing';
import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { CHANNEL, MEMBER, worldWhere } from '../../packages/local-discord/test/support/local-discord.ts';
import { openLocalDiscord } from '../../packages/local-discord/test/support/open-local-discord.ts';
import { jobProgressOf, renderProgress } from '../../src/delivery/progress/render-progress.ts';
import type { JobTask } from '../../src/jobs/job-task.ts';
import { NO_PROGRESS, type TaskProgress } from '../../src/jobs/task-progress.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { aJob, TASKS } from '../support/job.ts';

const { planned, following, completed, failed } = TASKS;
const NEXT_STEPS = nextStepsOf(commands);
const PHONE = { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true };
/** So old is a job that its time so far is as long as it becomes. */
const AGE_MS = 48_000;

/** Every stage, as wide as it becomes, of one picture and of four. */
function stages(now: number): { tasks: JobTask[]; seen: Partial<TaskProgress> }[] {
  const inSeconds = (seconds: number) => ({ expectedAt: now + seconds * 1_000 });
  const each: [JobTask, Partial<TaskProgress>][] = [
    [planned, {}],
    [planned, { turnPosition: 128 }],
    [following, {}],
    [following, { queuePosition: 128 }],
    [following, { queuePosition: 128, ...inSeconds(1_700) }],
    [following, { begun: true, percent: 88 }],
    [following, { begun: true, percent: 88, ...inSeconds(80) }],
    [following, { begun: true, percent: 88, ...inSeconds(1_700) }],
    [following, { trouble: 'busy' }],
    [completed, {}],
    [completed, { fetchedUntil: now }],
  ];
  return each.flatMap(([task, seen]) => [
    { tasks: [task], seen },
    { tasks: [task, task, task, task], seen },
    { tasks: [completed, task, failed, following], seen },
  ]);
}

/** How many lines the words of the last message take; what stands in a slot of its own is none of them. */
const LINES = `(() => {
  const message = [...document.querySelectorAll('discord-message')].at(-1);
  const words = [...message.childNodes].filter((node) => !node.slot);
  const boxes = words.flatMap((node) => {
    const range = document.createRange();
    range.selectNode(node);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  });
  const bottoms = boxes.map(({ bottom }) => bottom).sort((one, other) => one - other);
  return bottoms.filter((bottom, index) => index === 0 || bottom - bottoms[index - 1] > 10).length;
})()`;

describeInChromium('the progress of a job on a phone of 360 pixels', (open) => {
  test.each(['en-US', 'de'])('no line of it wraps, and time goes on by itself: %s', async (locale) => {
    const world = worldWhere(MEMBER, locale);
    const { address, rest } = await openLocalDiscord({ page: true, world });
    const { page, messages } = await open(address.url, PHONE);
    const now = Date.now();
    for (const { tasks, seen } of stages(now)) {
      const job = aJob({ tasks, createdAt: now - AGE_MS, deadlineAt: now + 1_800_000 });
      const progress = tasks.map(() => ({ ...NO_PROGRESS, ...seen }));
      const { content = '' } = renderProgress(
        job,
        jobProgressOf(job, progress, now),
        textsFor(locale),
        NEXT_STEPS,
      );
      const count = await messages.count();
      await rest.post(Routes.channelMessages(CHANNEL), { body: { content } });
      await expect.poll(() => messages.count()).toBe(count + 1);
      expect(await page.evaluate(LINES), content).toBe(content.split('\n').length);
    }
    const relative = new Intl.RelativeTimeFormat(locale);
    const moments = Array.from({ length: 60 }, (_, seconds) => relative.format(-1 - seconds, 'second'));
    /** How long ago it is, by the words that are there. */
    async function secondsAgo(): Promise<number> {
      const words = (await messages.last().allInnerTexts()).join(' ');
      return moments.findLastIndex((moment) => words.includes(moment));
    }
    await rest.post(Routes.channelMessages(CHANNEL), {
      body: { content: `<t:${Math.floor(Date.now() / 1_000)}:R>` },
    });
    await expect.poll(secondsAgo).toBeGreaterThanOrEqual(0);
    const first = await secondsAgo();
    await expect.poll(secondsAgo).toBeGreaterThan(first);
  });
});
