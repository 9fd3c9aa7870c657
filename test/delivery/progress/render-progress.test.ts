import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { task } from '../../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../../packages/image-api/test/support/polite-service.ts';
import { calls } from '../../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER, worldWhere } from '../../../packages/local-discord/test/support/local-discord.ts';
import {
  duration,
  jobProgressOf,
  progressBar,
  renderHandover,
  renderProgress,
} from '../../../src/delivery/progress/render-progress.ts';
import type { JobTask } from '../../../src/jobs/job-task.ts';
import { NO_PROGRESS, type TaskProgress } from '../../../src/jobs/task-progress.ts';
import { de } from '../../../src/messages/locale/de.ts';
import { en } from '../../../src/messages/locale/en.ts';
import { nextStepsOf } from '../../../src/messages/next-steps.ts';
import { botWorld } from '../../support/bot.ts';
import { aJob, TASKS } from '../../support/job.ts';

const SECOND = 1_000;
const BEGAN = aJob().createdAt;
const NEXT_STEPS = nextStepsOf(commands);

/** What the reply of a job says when it has run for `ageMs`. */
function shown(tasks: JobTask[], seen: Partial<TaskProgress>[] = [], ageMs = 0): string {
  const job = aJob({ tasks });
  const progress = tasks.map((_, index) => ({ ...NO_PROGRESS, ...seen[index] }));
  return renderProgress(job, jobProgressOf(job, progress, BEGAN + ageMs), en, NEXT_STEPS).content ?? '';
}

test('the bar is full at 100 percent, empty at none, and says the number beside it', () => {
  expect(progressBar(0)).toBe('`▱▱▱▱▱` 0 %');
  expect(progressBar(60)).toBe('`▰▰▰▱▱` 60 %');
  expect(progressBar(99.9)).toContain(' 99 %');
  expect(progressBar(100)).toBe('`▰▰▰▰▰` 100 %');
});

test('the bar never shrinks as the percent grows', () => {
  const cells = (percent: number) => progressBar(percent).split('▰').length;
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(percent, percent, (one, other) => {
      expect(cells(Math.max(one, other))).toBeGreaterThanOrEqual(cells(Math.min(one, other)));
      expect([...progressBar(one)].filter((cell) => cell === '▰' || cell === '▱')).toHaveLength(5);
    }),
  );
});

test('what took minutes is said in minutes', () => {
  expect([14.4, 89, 90, 900].map((seconds) => duration(seconds, en.progress))).toEqual([
    '14 s',
    '89 s',
    '2 min',
    '15 min',
  ]);
});

test('each stage is said in its own words', () => {
  const { progress } = en;
  expect(shown([TASKS.planned])).toBe(`**a red fox**\n-# ${progress.submitting}`);
  expect(shown([TASKS.planned], [{ turnPosition: 7 }])).toContain(progress.awaitingTurn(7));
  expect(shown([TASKS.planned], [{ turnPosition: 7, engineUnavailable: true }])).toContain(
    progress.engineUnavailable,
  );
  expect(shown([TASKS.following])).toContain(progress.queued(undefined));
  expect(shown([TASKS.following], [{ queuePosition: 3 }])).toContain(progress.queued(3));
  expect(shown([TASKS.following], [{ begun: true }])).toContain(progress.developing);
  expect(shown([TASKS.following], [{ begun: true, percent: 9, queuePosition: 3 }])).toContain(
    `-# ${progress.queued(3)}`,
  );
  expect(shown([TASKS.following], [{ percent: 40, trouble: 'busy' }])).toContain(progress.retrying);
  expect(shown([TASKS.completed, TASKS.failed])).toContain(progress.delivering);
});

test('of pictures that wait for what draws, none is said to wait for its turn', () => {
  const text = shown(
    [TASKS.planned, TASKS.planned],
    [{ turnPosition: 7, engineUnavailable: true }, { turnPosition: 8 }],
  );
  expect(text.split(en.progress.engineUnavailable)).toHaveLength(2);
  expect(text.split('\n')).toHaveLength(2);
});

test('while it is asked for again whether anything draws it now, a reply stays as it is', () => {
  const waiting = { turnPosition: 1, engineUnavailable: true };
  const asking = { ...waiting, turnPosition: undefined };
  expect(shown([TASKS.planned], [asking])).toBe(shown([TASKS.planned], [waiting]));
  const [one, other] = [TASKS.planned, TASKS.planned];
  expect(shown([one, other], [asking, waiting])).toBe(shown([one, other], [waiting, waiting]));
});

test('a finished picture that cannot be fetched is said to be, and until when it is tried', () => {
  const text = shown([TASKS.completed], [{ trouble: 'broken', fetchedUntil: BEGAN + 1_200 * SECOND }]);
  expect(text).toContain(en.progress.fetching(`<t:${BEGAN / 1000 + 1_200}:t>`));
});

test('a failed poll of a task that has ended is not shown', () => {
  const text = shown([TASKS.failed, TASKS.following], [{ trouble: 'timeout' }, { percent: 10 }]);
  expect(text).not.toContain(en.progress.retrying);
});

test('of several pictures each shows its own progress, once they are not all the same', () => {
  const { planned, following, completed, failed } = TASKS;
  expect(shown([planned, planned, planned, planned]).split('\n')).toHaveLength(2);
  expect(shown([following, following], [{ queuePosition: 3 }, { queuePosition: 4 }])).toContain(
    en.progress.queued(3),
  );
  const text = shown(
    [completed, following, following, failed],
    [{}, { begun: true, percent: 50, ...expectedIn(40) }, { queuePosition: 2, ...expectedIn(60) }],
  );
  expect(text.split('\n').slice(1)).toEqual([
    '-# Developing · about 60 s left',
    '-# **1** `▰▰▰▰▰` finished',
    '-# **2** `▰▰▰▱▱` 50 %',
    '-# **3** Queue: number 2',
    '-# **4** failed',
  ]);
});

test('the time so far is a Discord timestamp, so that time alone causes no edit', () => {
  const job = aJob({ tasks: [TASKS.following] });
  const keyAfter = (ms: number) => jobProgressOf(job, [NO_PROGRESS], BEGAN + ms).key;
  expect(shown([TASKS.following])).toContain(` · <t:${BEGAN / 1000}:R>`);
  expect(keyAfter(1_000)).toBe(keyAfter(600_000));
});

test('a reply that may soon be out of reach says how the picture will come, and not how far it is', () => {
  for (const hidden of [false, true]) {
    const { content } = renderHandover(aJob({ private: hidden }), en, NEXT_STEPS);
    expect(content).toContain(hidden ? en.handover.slowPrivate : en.handover.slow);
    expect(content).not.toMatch(/developing|%/i);
  }
});

test('what is under way can be cancelled, by a button that does not look like an outcome', () => {
  const rowsOf = (tasks: JobTask[]) => {
    const job = aJob({ tasks });
    return renderProgress(
      job,
      jobProgressOf(
        job,
        tasks.map(() => NO_PROGRESS),
        BEGAN,
      ),
      en,
      NEXT_STEPS,
    ).rows;
  };
  expect(rowsOf([TASKS.completed, TASKS.following])).toMatchObject([{ components: [{ label: 'Cancel' }] }]);
  expect(JSON.stringify(rowsOf([TASKS.planned]))).not.toContain(aJob().id);
  expect(rowsOf([TASKS.completed])).toEqual([]);
});

/** A task that is expected so many seconds after its job began. */
const expectedIn = (seconds: number) => ({ expectedAt: BEGAN + seconds * SECOND });

test('how long it takes is said in round numbers, that an edit is sent for only now and then', () => {
  const { following } = TASKS;
  const left = (seconds: number) => /about (.*) left/.exec(shown([following], [expectedIn(seconds)]))?.[1];
  expect([3, 6, 14, 40, 100, 610].map(left)).toEqual(['5 s', '10 s', '15 s', '40 s', '2 min', '11 min']);
  const job = aJob({ tasks: [following] });
  const keys = Array.from(
    { length: 60 },
    (_, second) => jobProgressOf(job, [{ ...NO_PROGRESS, ...expectedIn(100) }], BEGAN + second * SECOND).key,
  );
  expect(new Set(keys).size).toBeLessThanOrEqual(8);
});

test('of several pictures the last estimate counts, and none is said while one task has none', () => {
  const { following, completed } = TASKS;
  const last = shown([completed, following, following], [expectedIn(99), expectedIn(30), expectedIn(50)]);
  expect(last).toContain('about 50 s left');
  expect(shown([following, following], [expectedIn(30), {}])).toContain(':R>');
});

test('no estimate is said while polls fail, nor one that is past', () => {
  const { following } = TASKS;
  expect(shown([following], [{ trouble: 'busy', ...expectedIn(40) }])).not.toContain('left');
  expect(shown([following], [expectedIn(40)], 41 * SECOND)).toContain('about 5 s left');
  expect(shown([following], [expectedIn(40)], 43 * SECOND)).toContain(':R>');
});

test('no estimate beyond the deadline of the job is said, whatever the service says', () => {
  expect(shown([TASKS.following], [expectedIn(31 * 60)])).toContain(':R>');
  expect(shown([TASKS.following], [expectedIn(1e300)])).toContain(':R>');
});

test('a queued task says its position and when it is expected, and is not edited while the estimate barely moves', async () => {
  const service = await createHostileService();
  const world = await botWorld({
    imageUrl: service.baseUrl,
    operatorKey: A_KEY,
    discord: { world: worldWhere(MEMBER, 'de') },
  });
  const { clock } = world;
  const drawnAt = clock.now() + 600 * SECOND;
  let polls = 0;
  service.script('status', (exchange) => {
    polls += 1;
    const eta_seconds = Math.ceil((drawnAt - clock.now()) / SECOND) + (polls % 3);
    return task({ status: 'pending', progress: 0, queue_position: 3, eta_seconds })(exchange);
  });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'ein roter Fuchs' });
  const { content } = await world.reads('Warteschlange: Platz 3');
  expect(content).toMatch(/ · noch ~(9|10|11) min$/);
  const edits = world.discord.requests.list(calls.reply).length;
  const before = polls;
  await expect.poll(() => polls).toBeGreaterThan(before + 8);
  expect(world.discord.requests.list(calls.reply).length - edits).toBeLessThanOrEqual(1);

  service.script('status', task({ status: 'processing', progress: 50, eta_seconds: 1_200 }));
  expect((await world.reads('50 %')).content).toContain(`${de.progress.developing} · noch ~20 min`);
  service.script('status', task({ status: 'processing', progress: 60 }));
  expect((await world.reads('60 %')).content).toMatch(/ · <t:\d+:R>$/);
});
