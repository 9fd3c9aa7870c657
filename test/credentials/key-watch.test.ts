import { type ImageClient, ServiceError, type ServiceErrorKind } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { createDeferred, silentLog } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createKeyWatch } from '../../src/app/key-watch.ts';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import { failTask } from '../../src/jobs/job-task.ts';
import { aJob, TASKS } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const GUILD = '300000000000000001';
const CHANNEL = '400000000000000001';
const OWNER = { kind: 'guild', id: GUILD } as const;
const KEY = `sk-${'1'.repeat(48)}`;

/** A key that a server has linked, and what watches over it. */
async function linkedKeyWorld() {
  const { store } = await createStoreWorld();
  const clock = createFakeClock();
  const log = silentLog();
  const vault = createVault(['ab'.repeat(32)]);
  const credentials = createCredentials({ store, vault, clock, log, operatorKey: undefined });
  await credentials.link(OWNER, { apiKey: KEY, username: 'club', visibleIn: [] });
  return {
    credentials,
    clock,
    watchOn: (rest: REST, balance: ImageClient['balance']) =>
      createKeyWatch({
        store,
        credentials,
        guildSettings: createGuildSettings({ store, log }),
        images: { balance },
        discord: createMessageApi({ bot: rest, webhooks: rest }),
        clock,
        log,
      }),
  };
}

test('a key that a task was refused for is marked only where the service does not tell its balance either', async () => {
  const { credentials, clock, watchOn } = await linkedKeyWorld();
  /** When the key was marked, after a task that the service refused for it. */
  async function markedWhere(balance: ImageClient['balance']): Promise<number | undefined> {
    const watch = watchOn(new REST(), balance);
    const refused = failTask(TASKS.planned, { kind: 'unauthorized' });
    watch.jobEnded(aJob({ payer: OWNER, tasks: [refused] }), KEY);
    await watch.stop();
    return (await credentials.describe(OWNER))?.rejectedAt;
  }

  const fails = (kind: ServiceErrorKind) => () => Promise.reject(new ServiceError(kind, 'no'));
  const told = { balance: 5, username: 'club', accountId: '1', currency: 'credits' };
  expect(await markedWhere(async () => told)).toBeUndefined();
  expect(await markedWhere(fails('broken'))).toBeUndefined();
  expect(await markedWhere(fails('unauthorized'))).toBe(clock.now());
});

test('a warning that was on its way when the bot stopped is given at the next occasion, and another after credits were added', async () => {
  const { credentials, clock, watchOn } = await linkedKeyWorld();
  await credentials.setTerms(GUILD, { warning: { channelId: CHANNEL, below: 20 } });
  let balance = 5;
  /** A bot that posts by `makeRequest`, and has just made a picture with the key. */
  function paidWith(makeRequest: REST['options']['makeRequest']) {
    const rest = new REST({ makeRequest }).setToken('a token');
    const watch = watchOn(rest, async () => ({
      balance,
      username: 'club',
      accountId: '1',
      currency: 'credits',
    }));
    watch.jobEnded(aJob({ payer: OWNER }), KEY);
    return watch;
  }

  const posting = createDeferred<string>();
  const stopped = paidWith((_, request) => {
    posting.resolve(nonceIn(request));
    return new Promise(() => undefined);
  });
  const first = await posting.promise;
  await stopped.stop();

  /** What is posted after another picture, by its nonce. */
  async function posted(): Promise<string[]> {
    await clock.advance(MINUTE_MS);
    const nonces: string[] = [];
    const watch = paidWith(async (url, request) => {
      expect(url).toContain(`/channels/${CHANNEL}/messages`);
      nonces.push(nonceIn(request));
      return Response.json({ id: '1', channel_id: CHANNEL });
    });
    await expect
      .poll(async () => (await credentials.describe(OWNER))?.warnedBelow)
      .toBe(balance < 20 ? 20 : undefined);
    await watch.stop();
    return nonces;
  }
  // Discord posts what has the same nonce once.
  expect(await posted()).toEqual([first]);
  balance = 100;
  expect(await posted()).toEqual([]);
  balance = 5;
  expect(await posted()).toEqual([expect.not.stringMatching(first)]);
});

const nonceIn = ({ body }: { body?: unknown }): string =>
  z.object({ nonce: z.string() }).parse(JSON.parse(`${body}`)).nonce;
