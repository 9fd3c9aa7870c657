import { silentLog } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { HTTPError } from 'discord.js';
import { expect, test } from 'vitest';
import { createChannelBudgets } from '../../../src/delivery/channel-budget.ts';
import { createOutage } from '../../../src/delivery/outage.ts';
import { createProgress } from '../../../src/delivery/progress/progress.ts';
import { NO_PROGRESS } from '../../../src/jobs/task-progress.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { aJob } from '../../support/job.ts';

const GAVE_NO_ANSWER = new HTTPError(502, 'Bad Gateway', 'PATCH', '/', { body: undefined, files: [] });

test('an edit that got no answer may come late for a minute, however far the clock is set back', async () => {
  const clock = createFakeClock();
  const log = silentLog();
  const job = aJob({ createdAt: clock.now() });
  const progress = createProgress({
    clock,
    log,
    metrics: noMetrics,
    channels: createChannelBudgets({ clock, part: () => 1 }),
    outage: createOutage({ clock, log }),
    replyOf: () => ({ send: () => Promise.reject(GAVE_NO_ANSWER) }),
    sendOnce: (_, send) => send(new AbortController().signal),
    fetchPreview: async () => undefined,
    nextSteps: {},
  });
  progress.show(job, [NO_PROGRESS], async () => undefined);
  await clock.settle();
  clock.setBack(HOUR_MS);
  expect(await progress.stop(job.id)).toBe(MINUTE_MS);
});
