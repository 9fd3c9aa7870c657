import { setTimeout as delay } from 'node:timers/promises';
import type { Picture } from './discord.ts';
import type { Line } from './line.ts';
import { percentile } from './statistics.ts';
import { inWorld } from './world.ts';

/** Each is a run of its own: a channel with a budget of its own. */
const CHANNELS = 3;
const TASKS = 12;
const TASK_MS = 12_000;
const WEBHOOK_REQUESTS_PER_MINUTE = 30;

/** How long the pictures may take to appear. */
const DELIVERED_WITHIN_MS = 90_000;

/**
 * `npm run bench -- channel`: twelve tasks of twelve seconds at once in a channel that takes thirty webhook requests
 * a minute. A client that does nothing but poll every two to three seconds shows a picture after 1.3 s at the median.
 */
export async function crowdedChannel(): Promise<readonly Line[]> {
  const options = { servers: CHANNELS, webhookRequestsPerMinute: WEBHOOK_REQUESTS_PER_MINUTE };
  return inWorld(options, async ({ discord, service }) => {
    await discord.imagine(CHANNELS * TASKS, 1_000);
    await delay(TASK_MS);
    await service.complete(CHANNELS * TASKS);
    const pictures: Picture[] = [];
    const giveUpAt = Date.now() + DELIVERED_WITHIN_MS;
    while (pictures.length < CHANNELS * TASKS && Date.now() < giveUpAt) {
      await delay(100);
      pictures.push(...(await discord.pictures()));
    }
    const { completions } = await service.report();
    const completedAt = new Map(completions.map(({ prompt, at }) => [prompt, at]));
    const waits = Array.from({ length: CHANNELS }, (_, channel) =>
      pictures
        .filter(({ prompt }) => Number(/\d+$/.exec(prompt)) % CHANNELS === channel)
        .map(({ prompt, at }) => at - (completedAt.get(prompt) ?? Number.NaN)),
    );
    const name = `${TASKS} tasks in a channel of ${WEBHOOK_REQUESTS_PER_MINUTE} webhook requests a minute`;
    return [
      {
        name: `${name}: picture after completion, p50`,
        unit: 'ms',
        ours: waits.map((each) => percentile(each, 50)),
        goal: { atMost: 3_000 },
      },
      { name: `${name}: the slowest picture`, unit: 'ms', ours: waits.map((each) => Math.max(...each)) },
      {
        name: `${name}: pictures that appeared`,
        unit: '',
        ours: waits.map((each) => each.length),
        goal: { atLeast: TASKS },
      },
      { name: `${name}: answers of 429`, unit: '', ours: [await discord.refused()], goal: { atMost: 0 } },
    ];
  });
}
