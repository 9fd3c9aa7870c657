import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createImageClient } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { captureLog, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import Database from 'better-sqlite3';
import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Engine } from '../../packages/image-service/src/engines/engine.ts';
import {
  CHANNEL,
  MEMBER,
  OUTSIDER,
  sees,
  seesOutcome,
  startLocalDiscord,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { createBot, EMBEDDED } from '../../src/bot/bot.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { openStore } from '../../src/storage/store.ts';
import { everyJob } from '../support/job-list.ts';
import { copyFixture, type JobName, messageIdOf, secrets } from './fixture.ts';
import { clockAfter, MINUTE, operator, startService } from './service.ts';

/** How `/jobs` shows what has become of a job. */
const LISTED = { delivered: 0xd8452e, failed: 0x80848e, waiting: 0x5865f2 } as const;

export interface InstallationOptions {
  /** Whether Discord still has what 0.1.0 posted there. */
  discord: 'as left' | 'empty';
  /** Milliseconds since 0.1.0 was stopped; a minute unless given. */
  afterMs?: number;
  /** Paints at once unless given. */
  engine?: Engine;
  /** Whether the present version's commands are registered; otherwise Discord knows those of 0.1.0. */
  registers?: boolean;
}

export type Installation = Awaited<ReturnType<typeof installation>>;

/**
 * The present bot and service on a copy of what 0.1.0 left behind, in a local Discord. Closes with the test, and fails it
 * where a stored row could not be read or the ledger does not add up.
 */
export async function installation({
  discord: state,
  afterMs = MINUTE,
  engine,
  registers = true,
}: InstallationOptions) {
  const folder = await copyFixture();
  const clock = clockAfter(afterMs);
  const service = await startService(folder, { clock, ...(engine && { engine }) });
  const { discord, address, register, login, rest, close } = await startLocalDiscord({
    clock,
    world: worldWhere(OUTSIDER, 'de'),
    initialResponseMs: WAIT_TIMEOUT_MS * clock.factor,
    ...(state === 'as left' && { stateFolder: join(folder, 'discord') }),
  });
  if (registers) await register(...payloadsOf(commands));
  const { log, lines } = captureLog();
  let stopBot = async () => {};

  async function startBot() {
    const store = await openStore({ url: `sqlite://${join(folder, 'darkroom.sqlite')}`, log });
    const client = createImageClient({ baseUrl: service.url, clock });
    const bot = await createBot({
      token: discord.token(),
      apiUrl: address.apiUrl,
      commands,
      store,
      vault: createVault(secrets.vaultKeys.bot),
      images: {
        ...client,
        download: (url, options) => client.download(url.replace(secrets.serviceUrl, service.url), options),
      },
      service: EMBEDDED,
      operatorKey: secrets.operatorKey,
      callsPerSecond: 50,
      spoolFolder: join(folder, 'spool'),
      clock,
      log,
    });
    stopBot = async () => {
      stopBot = async () => {};
      await bot.stop();
      await store.close();
      await client.close();
    };
    await bot.start();
  }

  onTestFinished(async () => {
    await stopBot();
    await close();
    await service.close();
    expect(unreadableRows(folder)).toBe(0);
    expect((await operator(folder, 'ledger', 'check')).printed).toContain('every entry matches');
  });
  await startBot();

  const as = (id: string): UserClient => discord.as(id);

  /** The message of an answer, once it is no longer 'thinking'. */
  async function answered(id: string, answering: Promise<InteractionResult>): Promise<APIMessage> {
    const answer = await answering;
    if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
    return sees(
      as(id),
      (message) => message.id === answer.message.id && (Number(message.flags) & MessageFlags.Loading) === 0,
    );
  }

  /** Runs a command in the first channel. */
  const run = (id: string, command: string, options = {}): Promise<APIMessage> =>
    answered(id, as(id).invoke(CHANNEL, command, options));

  return {
    folder,
    service,
    discord,
    rest,
    login,
    /** Every line of the bot's log so far. */
    lines,
    startBot,
    stopBot: () => stopBot(),
    as,
    answered,
    run,
    text: async (id: string, command: string, options = {}): Promise<string> =>
      (await run(id, command, options)).content,

    /** Waits until its member's `/jobs` shows it as `state`, and links to `messageId`. */
    listed: (name: JobName, state: keyof typeof LISTED, messageId = messageIdOf(name)): Promise<string> =>
      until(async () => {
        const listed = await everyJob(as(secrets.jobs[name].member));
        const line = listed.find(({ text, color }) => text.includes(messageId) && color === LISTED[state]);
        // The bot sends at most 50 requests a second; the rest has to be left to its jobs.
        if (line === undefined) await delay(250);
        return line?.text;
      }, `${name} as ${state} in /jobs`),

    /** The outcome in the reply that 0.1.0 began. */
    outcome: (name: JobName): Promise<APIMessage> => seesOutcome(as(MEMBER), secrets.jobs[name].replyId),

    /** The outcome in a message of its own, which names its member. */
    posted: (name: JobName, channelId = CHANNEL): Promise<APIMessage> =>
      sees(
        as(MEMBER),
        (message) =>
          message.channel_id === channelId &&
          message.content.includes(`<@${secrets.jobs[name].member}>`) &&
          JSON.stringify(message.components).includes(secrets.jobs[name].id),
      ),
  };
}

/** The bytes behind every attachment of a message. */
export const attached = ({ attachments }: APIMessage): Promise<Buffer[]> =>
  Promise.all(attachments.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())));

/** How many rows the bot's store has put aside because it could not read them. */
function unreadableRows(folder: string): unknown {
  const database = new Database(join(folder, 'darkroom.sqlite'), { readonly: true });
  try {
    return database.prepare("select count(*) from bot_rows where key like 'set-aside:%'").pluck().get();
  } finally {
    database.close();
  }
}
