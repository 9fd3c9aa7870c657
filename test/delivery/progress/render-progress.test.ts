import fc from 'fast-check';
import { expect, test } from 'vitest';
import { task } from '../../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../../packages/image-api/test/support/polite-service.ts';
import { calls } from '../../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER, worldWhere } from '../../../packages/local-discord/test/support/local-discord.ts';
import {
  progressBar,
  progressOf,
  renderHandover,
  renderProgress,
} from '../../../src/delivery/progress/render-progress.ts';
import type { TaskProgress } from '../../../src/jobs/delivery-port.ts';
import type { JobTask } from '../../../src/jobs/job.ts';
import { NO_PROGRESS } from '../../../src/jobs/task-progress.ts';
import { en } from '../../../src/messages/locale/en.ts';
import { botWorld } from '../../support/bot.ts';
import { aJob, TASKS } from '../../support/job.ts';

const SECOND = 1_000;
const BEGAN = aJob().createdAt;

/** What the reply of a job says when it has run for `ageMs`. */
function shown(tasks: JobTask[], seen: Partial<TaskProgress>[] = [], ageMs = 0): string {
  const job = aJob({ tasks });
  const progress = tasks.map((_, index) => ({ ...NO_PROGRESS, ...seen[index] }));
  return renderProgress(job, progressOf(job, progress, BEGAN + ageMs), en).content ?? '';
}

test('the bar is full at 100 percent, empty at none, and says the number beside it', () => {
  expect(progressBar(0)).toBe('`▱▱▱▱▱▱▱▱▱▱▱▱` 0 %');
  expect(progressBar(50)).toBe('`▰▰▰▰▰▰▱▱▱▱▱▱` 50 %');
  expect(progressBar(99.9)).toContain(' 99 %');
  expect(progressBar(100)).toBe('`▰▰▰▰▰▰▰▰▰▰▰▰` 100 %');
});

test('the bar never shrinks as the percent grows', () => {
  const cells = (percent: number) => progressBar(percent).split('▰').length;
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(percent, percent, (one, other) => {
      expect(cells(Math.max(one, other))).toBeGreaterThanOrEqual(cells(Math.min(one, other)));
      expect([...progressBar(one)].filter((cell) => cell === '▰' || cell === '▱')).toHaveLength(12);
    }),
  );
});

test('each stage is said in its own words', () => {
  const { progress } = en;
  expect(shown([TASKS.planned])).toContain(progress.submitting);
  expect(shown([TASKS.planned], [{ place: 7 }])).toContain(progress.waiting(7));
  expect(shown([TASKS.following])).toContain(progress.queued(undefined));
  expect(shown([TASKS.following, TASKS.planned], [{}, { place: 7 }])).toContain(progress.queued(undefined));
  expect(shown([TASKS.following], [{ queuePosition: 3 }])).toContain(progress.queued(3));
  expect(shown([TASKS.following], [{ begun: true }])).toContain(progress.developing);
  expect(shown([TASKS.following], [{ percent: 40, trouble: 'busy' }])).toContain(progress.retrying);
  expect(shown([TASKS.completed, TASKS.following])).toContain(progress.severalDone(1, 2));
  expect(shown([TASKS.completed, TASKS.failed])).toContain(progress.delivering);
});

test('a finished picture that cannot be fetched is said to be, and until when it is tried', () => {
  const text = shown([TASKS.completed], [{ trouble: 'broken', fetchedUntil: BEGAN + 1_200 * SECOND }]);
  expect(text).toContain(en.progress.fetching(`<t:${BEGAN / 1000 + 1_200}:R>`));
});

test('a failed poll of a task that has ended is not shown', () => {
  const text = shown([TASKS.failed, TASKS.following], [{ trouble: 'timeout' }, { percent: 10 }]);
  expect(text).not.toContain(en.progress.retrying);
});

test('the percent of a job is the mean of its tasks; one that has ended counts as 100', () => {
  expect(shown([TASKS.completed, TASKS.following], [{}, { percent: 50 }])).toContain(' 75 %');
});

test('the age of a job is a Discord timestamp, so that time alone causes no edit', () => {
  expect(shown([TASKS.planned])).toContain(`<t:${aJob().createdAt / 1000}:R>`);
});

test('a reply that may soon be out of reach says how the picture will come, and not how far it is', () => {
  for (const hidden of [false, true]) {
    const { content } = renderHandover(aJob({ private: hidden }), en);
    expect(content).toContain(hidden ? en.handover.slowPrivate : en.handover.slow);
    expect(content).not.toMatch(/developing|%/i);
  }
});

/** A task that is expected so many seconds after its job began. */
const expectedIn = (seconds: number) => ({ expectedAt: BEGAN + seconds * SECOND });

test('when the picture is expected is a Discord timestamp too, in the queue and while it develops', () => {
  const moment = `expected <t:${BEGAN / 1000 + 40}:R>`;
  expect(shown([TASKS.following], [{ queuePosition: 3, ...expectedIn(40) }])).toContain(
    `Number 3 in the queue · ${moment} · began`,
  );
  expect(shown([TASKS.following], [{ begun: true, ...expectedIn(40) }])).toContain(`Developing · ${moment}`);
});

test('of several pictures the last estimate counts, and none is shown while one task has none', () => {
  const { following, completed } = TASKS;
  const last = shown([completed, following, following], [expectedIn(99), expectedIn(30), expectedIn(50)]);
  expect(last).toContain(`expected <t:${BEGAN / 1000 + 50}:R>`);
  expect(shown([following, following], [expectedIn(30), {}])).not.toContain('expected');
  expect(shown([completed, TASKS.failed], [expectedIn(30), expectedIn(30)])).not.toContain('expected');
});

test('no estimate is shown while polls fail, nor one that would be past before the next edit', () => {
  const { following } = TASKS;
  expect(shown([following], [{ trouble: 'busy', ...expectedIn(40) }])).not.toContain('expected');
  expect(shown([following], [expectedIn(40)], 36 * SECOND)).toContain('expected');
  for (const age of [37, 40, 50]) {
    expect(shown([following], [expectedIn(40)], age * SECOND)).not.toContain('expected');
  }
});

test('no estimate beyond the deadline of the job is shown, whatever the service says', () => {
  expect(shown([TASKS.following], [expectedIn(31 * 60)])).not.toContain('expected');
  expect(shown([TASKS.following], [expectedIn(1e300)])).not.toContain('expected');
});

test('a queued task says its place and when it is expected, and is not edited while the estimate barely moves', async () => {
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
  const { content } = await world.reads('Platz 3 in der Warteschlange');
  const [, seconds] = / · erwartet <t:(\d+):R> · begonnen </.exec(content) ?? [];
  expect(Math.abs(Number(seconds) - drawnAt / SECOND)).toBeLessThan(60);
  const edits = world.discord.requests.list(calls.reply).length;
  const before = polls;
  await expect.poll(() => polls).toBeGreaterThan(before + 8);
  expect(world.discord.requests.list(calls.reply)).toHaveLength(edits);

  service.script('status', task({ status: 'processing', progress: 50, eta_seconds: 1_200 }));
  const developing = await world.reads('50 %');
  const [, later] = /Wird entwickelt · erwartet <t:(\d+):R>/.exec(developing.content) ?? [];
  expect(Number(later) - Number(seconds)).toBeGreaterThan(400);
  service.script('status', task({ status: 'processing', progress: 60 }));
  expect((await world.reads('60 %')).content).not.toContain('erwartet');
  await world.stopBot();
  await service.close();
});
