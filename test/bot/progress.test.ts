import fc from 'fast-check';
import { expect, test } from 'vitest';
import { en } from '../../src/bot/locale/en.ts';
import { progressBar, renderHandover, renderProgress } from '../../src/bot/progress.ts';
import type { TaskProgress } from '../../src/jobs/delivery.ts';
import type { JobTask } from '../../src/jobs/job.ts';
import { task } from '../support/behaviours.ts';
import { botWorld } from '../support/bot.ts';
import { calls } from '../support/discord-faults.ts';
import { createHostileService } from '../support/hostile-service.ts';
import { aJob, NOTHING_SEEN, TASKS } from '../support/job.ts';
import { CHANNEL, MEMBER, worldWhere } from '../support/local-discord.ts';
import { A_KEY } from '../support/polite-service.ts';

const SECOND = 1_000;
const BEGAN = aJob().createdAt;

/** What the reply of a job says when it has run for `ageMs`. */
const shown = (tasks: JobTask[], seen: Partial<TaskProgress>[] = [], ageMs = 0) =>
  renderProgress(
    aJob({ tasks }),
    tasks.map((_, index) => ({ ...NOTHING_SEEN, ...seen[index] })),
    en,
    BEGAN + ageMs,
  ).content ?? '';

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
  expect(shown([TASKS.following])).toContain(progress.queued(undefined));
  expect(shown([TASKS.following], [{ queuePosition: 3 }])).toContain(progress.queued(3));
  expect(shown([TASKS.following], [{ begun: true }])).toContain(progress.developing);
  expect(shown([TASKS.following], [{ percent: 40, trouble: 'busy' }])).toContain(progress.trouble);
  expect(shown([TASKS.completed, TASKS.following])).toContain(progress.severalDone(1, 2));
  expect(shown([TASKS.completed, TASKS.failed])).toContain(progress.delivering);
});

test('trouble with a task that is over is no trouble any more', () => {
  const text = shown([TASKS.failed, TASKS.following], [{ trouble: 'timeout' }, { percent: 10 }]);
  expect(text).not.toContain(en.progress.trouble);
});

test('the percent of a job is the mean of its tasks, and what is over counts whole', () => {
  expect(shown([TASKS.completed, TASKS.following], [{}, { percent: 50 }])).toContain(' 75 %');
});

test('the age of a job is left to Discord, so that time alone changes nothing', () => {
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

test('when the picture is expected is left to Discord as well, in the queue and while it develops', () => {
  const moment = `expected <t:${BEGAN / 1000 + 40}:R>`;
  expect(shown([TASKS.following], [{ queuePosition: 3, ...expectedIn(40) }])).toContain(
    `Number 3 in the queue · ${moment} · began`,
  );
  expect(shown([TASKS.following], [{ begun: true, ...expectedIn(40) }])).toContain(`Developing · ${moment}`);
});

test('of several pictures the last one counts, and nothing is expected while one of them says nothing', () => {
  const { following, completed } = TASKS;
  const last = shown([completed, following, following], [expectedIn(99), expectedIn(30), expectedIn(50)]);
  expect(last).toContain(`expected <t:${BEGAN / 1000 + 50}:R>`);
  expect(shown([following, following], [expectedIn(30), {}])).not.toContain('expected');
  expect(shown([completed, TASKS.failed], [expectedIn(30), expectedIn(30)])).not.toContain('expected');
});

test('nothing is expected of a service in trouble, nor what would be past before the next edit', () => {
  const { following } = TASKS;
  expect(shown([following], [{ trouble: 'busy', ...expectedIn(40) }])).not.toContain('expected');
  expect(shown([following], [expectedIn(40)], 36 * SECOND)).toContain('expected');
  for (const age of [37, 40, 50]) {
    expect(shown([following], [expectedIn(40)], age * SECOND)).not.toContain('expected');
  }
});

test('nothing is expected after a job is no longer followed, whatever the service says', () => {
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
  let asked = 0;
  service.script('status', (exchange) => {
    asked += 1;
    const eta_seconds = Math.ceil((drawnAt - clock.now()) / SECOND) + (asked % 3);
    return task({ status: 'pending', progress: 0, queue_position: 3, eta_seconds })(exchange);
  });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'ein roter Fuchs' });
  const { content } = await world.reads('Platz 3 in der Warteschlange');
  const [, seconds] = / · erwartet <t:(\d+):R> · begonnen </.exec(content) ?? [];
  expect(Math.abs(Number(seconds) - drawnAt / SECOND)).toBeLessThan(60);
  const edits = world.discord.requests.list(calls.reply).length;
  const before = asked;
  await expect.poll(() => asked).toBeGreaterThan(before + 8);
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
