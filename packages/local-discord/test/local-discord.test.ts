import { silentLog } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { startDiscord } from '../src/start.ts';
import { MEMBER, smallWorld } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

test('a port that is taken is said so, and another one can be tried', async () => {
  const world = await openLocalDiscord();
  const again = (port: number) => startDiscord({ log: silentLog(), world: smallWorld, port });
  await expect(again(world.address.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await using second = await again(0);
  expect(second.port).not.toBe(world.address.port);
});

test('routes of others are served on the same port', async () => {
  const world = await openLocalDiscord({
    beforeListen: (app) => {
      app.get('/', async () => 'a page');
    },
  });
  expect(await (await fetch(world.address.url)).text()).toBe('a page');
});

test('two bots live in one world, each with its own token and commands', async () => {
  const other = { id: '300000000000000002', name: 'Other' };
  const world = await openLocalDiscord({
    world: { ...smallWorld, applications: [...smallWorld.applications, other] },
  });
  expect(world.discord.token()).not.toBe(world.discord.token(other.id));
  expect(() => world.discord.token('300000000000000009')).toThrow('no application');
  expect(world.discord.as(MEMBER).openDirectMessage(other.id).id).not.toBe(
    world.discord.as(MEMBER).openDirectMessage().id,
  );
});
