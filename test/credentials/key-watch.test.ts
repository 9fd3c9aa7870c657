import { createVault } from '@darkroom/storage';
import { createDeferred, silentLog } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { createKeyWatch } from '../../src/app/key-watch.ts';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import { aJob } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const GUILD = '300000000000000001';
const CHANNEL = '400000000000000001';
const KEY = `sk-${'1'.repeat(48)}`;

test('a warning that was on its way when the bot stopped is given at the next occasion', async () => {
  const { store } = await createStoreWorld();
  const clock = createFakeClock();
  const log = silentLog();
  const vault = createVault(['ab'.repeat(32)]);
  const credentials = createCredentials({ store, vault, clock, log, operatorKey: undefined });
  await credentials.link({ kind: 'guild', id: GUILD }, { apiKey: KEY, username: 'club', visibleIn: [] });
  await credentials.setTerms(GUILD, { warning: { channelId: CHANNEL, below: 20 } });
  /** A bot that posts by `makeRequest`, and has just made a picture with the key. */
  function paidWith(makeRequest: REST['options']['makeRequest']) {
    const rest = new REST({ makeRequest }).setToken('a token');
    const watch = createKeyWatch({
      store,
      credentials,
      guildSettings: createGuildSettings({ store, log }),
      images: {
        balance: async () => ({ balance: 5, username: 'club', accountId: '1', currency: 'credits' }),
      },
      discord: createMessageApi({ bot: rest, webhooks: rest }),
      clock,
      log,
    });
    watch.jobEnded(aJob({ payer: { kind: 'guild', id: GUILD } }), KEY);
    return watch;
  }

  const posting = createDeferred<void>();
  const stopped = paidWith(() => {
    posting.resolve();
    return new Promise(() => undefined);
  });
  await posting.promise;
  await stopped.stop();

  await clock.advance(MINUTE_MS);
  const posted = createDeferred<string>();
  const next = paidWith(async (url) => {
    posted.resolve(url);
    return Response.json({ id: '1', channel_id: CHANNEL });
  });
  expect(await posted.promise).toContain(`/channels/${CHANNEL}/messages`);
  await next.stop();
});
