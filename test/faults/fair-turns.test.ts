import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ALL_ABILITIES } from '@darkroom/image-service';
import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { paint } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  OTHER_CHANNEL,
  OTHER_GUILD,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { botWorld } from '../support/bot.ts';

/** How many tasks of the account the service draws at once, and how long it draws each, in real milliseconds. */
const RUNNING = 4;
const DRAWING_MS = 500;

/**
 * The real service, which notes what it begins with, and ends nothing before `draws` is called; its account is the
 * operator's, who pays for everybody.
 */
async function sharedKeyWorld(limits: { waiting?: number; perMinute?: number } = {}) {
  const begun: string[] = [];
  const tasks = new Set<string>();
  const gate = new EventEmitter();
  let draws = false;
  const world = await botWorld({
    clock: createFastClock({ factor: 20 }),
    service: {
      credits: 1_000,
      limits: { running: RUNNING, perMinute: 10_000, ...limits },
      engine: {
        name: 'slow',
        abilities: () => ALL_ABILITIES,
        async draw(drawing, { signal }) {
          // On a busy machine a task may lose its lease, and is drawn once more.
          if (!tasks.has(drawing.taskId)) begun.push(`${drawing.prompt}`);
          tasks.add(drawing.taskId);
          if (!draws) await once(gate, 'open', { signal });
          await delay(DRAWING_MS, undefined, { signal });
          return paint(drawing);
        },
        close: async () => {},
      },
    },
  });
  world.discord.world.addMember(OTHER_GUILD, BOT);
  /** One request of somebody in the first server. */
  const ask = async (prompt: string, count: number) => {
    const asked = await world.member.invoke(CHANNEL, 'imagine', { prompt, count, size: '64x64' });
    const answer = messageOf(await confirmed(asked, world.member));
    return answer;
  };
  return {
    ...world,
    begun,
    ask,
    draws() {
      draws = true;
      gate.emit('open');
    },
  };
}

test('while one member has 64 pictures waiting, a member of another server waits for at most one of them per slot', async () => {
  const world = await sharedKeyWorld();
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, nth) => world.ask(`one of many foxes, ${nth}`, 4)),
  );
  await world.reads('Waiting');
  world.draws();
  await expect.poll(() => world.begun.length).toBeGreaterThan(2 * RUNNING);
  const other = world.as(OUTSIDER);
  const options = { prompt: 'a single owl', size: '64x64' };
  const asked = messageOf(await other.invoke(OTHER_CHANNEL, 'imagine', options));
  const before = world.begun.length;
  expect((await world.ended(asked.id, other)).attachments).toHaveLength(1);
  // On a slow machine others begin while it is written down; in the service's own queue all of them were before it.
  expect(world.begun.indexOf('a single owl') - before).toBeLessThanOrEqual(3 * RUNNING);
  for (const reply of replies) expect((await world.ended(reply.id)).attachments).toHaveLength(4);
  expect(world.begun).toHaveLength(65);
});

test('what the service has no room for waits, across a restart, and nothing is submitted twice', async () => {
  const world = await sharedKeyWorld({ waiting: 1 });
  const replies = await Promise.all(
    Array.from({ length: 4 }, (_, nth) => world.ask(`a patient fox, ${nth}`, 4)),
  );
  world.draws();
  await expect.poll(() => world.begun.length).toBeGreaterThan(RUNNING);
  await world.restartBot();
  for (const reply of replies) expect((await world.ended(reply.id)).attachments).toHaveLength(4);
  expect(world.begun).toHaveLength(16);
});

test('a request that waits for its turn can be stopped at once, and cost nothing', async () => {
  const world = await sharedKeyWorld({ perMinute: 1 });
  await world.ask('a first fox', 1);
  await expect.poll(() => world.begun).toEqual(['a first fox']);
  await world.ask('a second fox', 1);
  await world.reads('Waiting: number 1');
  const list = messageOf(await world.member.invoke(CHANNEL, 'jobs', {}));
  const [, jobId] = /jobs:stop:(\d+)/.exec(JSON.stringify(list.components)) ?? [];
  await world.member.press(list.id, `jobs:stop:${jobId}`);
  await world.reads(en.cancel.free);
  expect(world.begun).toEqual(['a first fox']);
});
