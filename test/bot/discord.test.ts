import { NOWHERE } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { Routes } from 'discord.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRests } from '../../src/bot/discord.ts';

const restsNowhere = (onRequest: (status: number | 'none') => void = () => undefined) =>
  createRests({ apiUrl: NOWHERE, token: 'a token', onRequest, afterAnother: false });

test('the library ends no upload that its caller still waits for', () => {
  const { rest, webhooks } = restsNowhere();
  for (const way of [rest, webhooks]) expect(way.options.timeout).toBeGreaterThan(2 * MINUTE_MS);
});

test('nothing is kept of an interaction a minute after its answer, whichever way that has left', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { rest, webhooks } = restsNowhere();
  for (const way of [rest, webhooks]) {
    const answer = way.patch(Routes.webhookMessage('7', 'of an interaction'), { auth: false });
    await expect(answer).rejects.toThrow();
    expect(way.handlers.size).toBe(1);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(way.handlers.size).toBe(0);
  }
});

test('a request that gets no answer is counted, whichever way it was to leave', async () => {
  const counted: (number | 'none')[] = [];
  const { rest, webhooks } = restsNowhere((status) => void counted.push(status));
  await expect(rest.get(Routes.gatewayBot())).rejects.toThrow();
  await expect(webhooks.get(Routes.webhookMessage('7', 'a token'), { auth: false })).rejects.toThrow();
  expect(counted).toEqual(['none', 'none']);
});
