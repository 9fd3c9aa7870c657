import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createLocalDiscord } from '../../src/local-discord/local-discord.ts';
import { createLog } from '../../src/log.ts';
import { MEMBER, smallWorld, startLocalDiscord, type TestDiscord } from '../support/local-discord.ts';

let world: TestDiscord;
afterEach(() => world.close());

test('a port that is taken is said so, and another one can be tried', async () => {
  world = await startLocalDiscord();
  const log = createLog({ level: 'silent' });
  const second = createLocalDiscord({ clock: systemClock, log, world: smallWorld });
  await expect(second.listen({ port: world.address.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const { port } = await second.listen({ port: 0 });
  expect(port).not.toBe(world.address.port);
  await second.close();
});

test('routes of others are served on the same port', async () => {
  const log = createLog({ level: 'silent' });
  const discord = createLocalDiscord({ clock: systemClock, log, world: smallWorld });
  discord.app.get('/', async () => 'a page');
  world = await startLocalDiscord();
  const { url } = await discord.listen();
  expect(await (await fetch(url)).text()).toBe('a page');
  await discord.close();
});

test('two bots live in one world, each with its own token and commands', async () => {
  const other = { id: '300000000000000002', name: 'Other' };
  world = await startLocalDiscord({
    world: { ...smallWorld, applications: [...smallWorld.applications, other] },
  });
  expect(world.discord.token()).not.toBe(world.discord.token(other.id));
  expect(() => world.discord.token('300000000000000009')).toThrow('no application');
  expect(world.discord.as(MEMBER).openDirectMessage(other.id).id).not.toBe(
    world.discord.as(MEMBER).openDirectMessage().id,
  );
});
