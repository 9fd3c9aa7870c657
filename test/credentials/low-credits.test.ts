import { ServiceError } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { captureLog } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createLowCredits } from '../../src/credentials/low-credits.ts';
import { describeEachStore } from '../support/each-store.ts';

const GUILD = '400000000000000001';
const CHANNEL = '500000000000000001';
const KEY = `sk-${'1'.repeat(48)}`;

describeEachStore((open) => {
  /** A server that wants to be warned of fewer than 20 credits; `left` says what it has. */
  async function serverWorld() {
    const store = await open();
    const clock = createFakeClock();
    const { log, lines } = captureLog();
    const vault = createVault(['ab'.repeat(32)]);
    const credentials = createCredentials({ store, vault, clock, log, operatorKey: undefined });
    await credentials.link({ kind: 'guild', id: GUILD }, { apiKey: KEY, username: 'club', visibleIn: [] });
    await credentials.setTerms(GUILD, { warning: { channelId: CHANNEL, below: 20 } });
    let left: number | Error = 100;
    let posts = true;
    let hangs = false;
    let hanging = 0;
    let asked = 0;
    const warnings: number[] = [];
    const process = () =>
      createLowCredits({
        store,
        credentials,
        images: {
          async balance({ apiKey }) {
            expect(apiKey).toBe(KEY);
            asked += 1;
            if (left instanceof Error) throw left;
            return { balance: left, username: 'club', accountId: '1', currency: 'credits' };
          },
        },
        async warn({ channelId, credits, below }) {
          if (hangs) {
            hanging += 1;
            await new Promise(() => undefined);
          }
          if (!posts) throw new Error('the channel is closed');
          expect([channelId, below]).toEqual([CHANNEL, 20]);
          warnings.push(credits);
        },
        clock,
        log,
      });
    const processes = [process(), process()];
    return {
      store,
      credentials,
      lines,
      warnings,
      asked: () => asked,
      closeChannel: (closed: boolean) => {
        posts = !closed;
      },
      /** A process dies while it warns of so many credits. */
      async diesWarningOf(credits: number): Promise<void> {
        left = credits;
        hangs = true;
        void process().paid(GUILD, new AbortController().signal);
        await expect.poll(() => hanging).toBe(1);
        hangs = false;
      },
      /** A picture is paid in each of two processes a minute later, with so many credits left. */
      async paid(credits: number | Error): Promise<void> {
        left = credits;
        await clock.advance(MINUTE_MS);
        await Promise.all(processes.map((one) => one.paid(GUILD, new AbortController().signal)));
      },
    };
  }

  test('who manages a server is warned once, and again after credits were added', async () => {
    const { paid, warnings, asked } = await serverWorld();
    for (const credits of [20, 19.5, 18, 3]) await paid(credits);
    expect(warnings).toEqual([19.5]);
    for (const credits of [120, 60, 2, 1]) await paid(credits);
    expect(warnings).toEqual([19.5, 2]);
    expect(asked()).toBe(8);
  });

  test('that a server was warned is forgotten with its key', async () => {
    const { paid, store, credentials, warnings } = await serverWorld();
    await paid(5);
    expect(warnings).toEqual([5]);
    await credentials.unlink({ kind: 'guild', id: GUILD });
    const kept = async () => {
      const lists = ['keys', 'counters'].map((name) => store.collection(name, z.unknown()).list());
      return (await Promise.all(lists)).flat().map(({ id }) => id);
    };
    expect(await kept()).toEqual([expect.stringMatching(/^credits-looked:/)]);
    // When the service was asked last is known for two minutes, of the store's own clock.
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * MINUTE_MS + 1);
    onTestFinished(() => now.mockRestore());
    expect(await kept()).toEqual([]);
  });

  test('a warning that could not be posted is posted at the next occasion', async () => {
    const { paid, warnings, closeChannel, lines } = await serverWorld();
    closeChannel(true);
    await paid(5);
    expect(lines.join('')).toContain('the channel is closed');
    closeChannel(false);
    await paid(4);
    expect(warnings).toEqual([4]);
  });

  test('a warning whose process dies while it is posted is posted at the next occasion', async () => {
    const { paid, warnings, diesWarningOf } = await serverWorld();
    await diesWarningOf(5);
    await paid(4);
    await paid(3);
    expect(warnings).toEqual([4]);
  });

  test('a key that the service rejects is marked, and one whose service is away is not', async () => {
    const { paid, credentials, warnings } = await serverWorld();
    await paid(new ServiceError('timeout', 'no answer'));
    const owner = { kind: 'guild', id: GUILD } as const;
    expect((await credentials.describe(owner))?.rejectedAt).toBeUndefined();
    await paid(new ServiceError('unauthorized', 'no such key'));
    expect((await credentials.describe(owner))?.rejectedAt).toBeDefined();
    expect(warnings).toEqual([]);
  });

  test('who wants no warning is not asked about', async () => {
    const { paid, credentials, asked } = await serverWorld();
    await credentials.setTerms(GUILD, { warning: undefined });
    await paid(0);
    expect(asked()).toBe(0);
  });
});
