import { NOWHERE } from '@darkroom/testing';
import { GatewayCloseCodes } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';

/** The samples of a text of Prometheus: name and labels → value. */
const samplesOf = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? [];
        return [name, Number(value)] as const;
      }),
  );

async function readyz(world: BotWorld) {
  const answer = await world.outside('/readyz');
  return { status: answer.status, body: await answer.json() };
}

test('a bot that has all it needs is alive and ready, and says of each thing how it stands', async () => {
  const world = await botWorld({ observed: true });
  const alive = await world.outside('/healthz');
  expect([alive.status, await alive.json()]).toEqual([200, { alive: true }]);
  await expect
    .poll(() => readyz(world))
    .toEqual({
      status: 200,
      body: {
        ready: true,
        checks: {
          gateway: { state: 'ok', reason: '1 of 1 shards are connected' },
          store: { state: 'ok', reason: 'takes writes' },
          service: { state: 'ok', reason: 'answers' },
          poller: { state: 'ok', reason: 'polls begin when they are due' },
        },
      },
    });
});

test('without its image service it is alive, not ready, and says why', async () => {
  const world = await botWorld({ observed: true, imageUrl: NOWHERE });
  expect((await world.outside('/healthz')).status).toBe(200);
  await expect
    .poll(() => readyz(world))
    .toMatchObject({
      status: 503,
      body: {
        ready: false,
        checks: {
          gateway: { state: 'ok' },
          service: { state: 'failing', reason: 'unreachable' },
        },
      },
    });
});

test('without its connection to Discord it is alive, not ready, and says why', async () => {
  const world = await botWorld({ observed: true });
  // For good, so that it does not connect anew.
  world.discord.gateway.close(GatewayCloseCodes.AuthenticationFailed);
  await world.logs('ended the connection for good');
  expect((await world.outside('/healthz')).status).toBe(200);
  await expect
    .poll(() => readyz(world))
    .toMatchObject({
      status: 503,
      body: {
        ready: false,
        checks: { gateway: { state: 'failing', reason: '0 of 1 shards are connected' } },
      },
    });
});

test('a scrape asks nothing of the image service', async () => {
  const service = await createHostileService();
  const world = await botWorld({ observed: true, imageUrl: service.baseUrl });
  expect((await world.outside('/metrics')).status).toBe(200);
  expect(service.requests('ping')).toEqual([]);
});

test('a picture leaves its marks in the metrics', async () => {
  const world = await botWorld({ observed: true });
  await world.imagined({ prompt: 'a red fox' });
  const metrics = () => world.outside('/metrics');
  expect((await metrics()).headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const read = async () => samplesOf(await (await metrics()).text());
  // The message is there before the row says so.
  await expect.poll(async () => (await read()).get('darkroom_running_jobs')).toBe(0);
  const samples = await read();
  const atLeastOne = [
    'darkroom_first_answer_seconds_count',
    'darkroom_poll_lag_seconds_count',
    'darkroom_picture_delivery_seconds_count',
    'darkroom_jobs_ended_total{state="delivered"}',
    'darkroom_progress_edits_total{result="sent"}',
    'darkroom_service_call_seconds_count{operation="submit",result="ok"}',
    'darkroom_service_call_seconds_count{operation="status",result="ok"}',
    'darkroom_service_call_seconds_count{operation="download",result="ok"}',
    'darkroom_store_call_seconds_count{operation="read",result="ok"}',
    'darkroom_store_call_seconds_count{operation="insert",result="ok"}',
    'darkroom_store_call_seconds_count{operation="write",result="ok"}',
    'darkroom_discord_request_seconds_count{status="200"}',
    'darkroom_shards_connected',
    'darkroom_identifies_left',
    'nodejs_eventloop_lag_p99_seconds',
    'process_cpu_seconds_total',
  ];
  for (const name of atLeastOne) expect(samples.get(name), name).toBeGreaterThan(0);
  const none = [
    'darkroom_unanswered_interactions_total',
    'darkroom_running_jobs',
    'darkroom_oldest_job_seconds',
    'darkroom_waiting_calls',
    'darkroom_waiting_turns',
    'darkroom_poller_stalled_seconds',
    'darkroom_jobs_ended_total{state="failed"}',
    'darkroom_service_call_seconds_count{operation="submit",result="busy"}',
    'darkroom_store_call_seconds_count{operation="write",result="failed"}',
  ];
  for (const name of none) expect(samples.get(name), name).toBe(0);
});
