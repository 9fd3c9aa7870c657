import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { expect, test } from 'vitest';
import { askedToWaitMs, verdictOn } from '../../../src/bot/delivery/verdict.ts';

const refused = (status: number, code: number | string) =>
  new DiscordAPIError({ code: Number(code), message: 'no' }, code, status, 'PATCH', '/', {
    body: undefined,
    files: [],
  });

test.each([
  ['a deleted message', refused(404, 10008), 'refused'],
  ['a dead token', refused(401, 50027), 'refused'],
  ['closed direct messages', refused(403, 50007), 'refused'],
  ['missing permissions', refused(403, 50013), 'refused'],
  ['a deleted channel', refused(404, 10003), 'channel-closed'],
  ['missing access', refused(403, 50001), 'channel-closed'],
  ['AutoMod', refused(400, 200000), 'channel-closed'],
  ['too large a body', refused(413, 40005), 'too-large'],
  ['too large a body, said by a proxy', refused(413, 0), 'too-large'],
  ['too many edits of an old message', refused(429, 30046), 'passing'],
  ['too many edits of an old message, as a 400', refused(400, 30046), 'passing'],
  ['an answer that is not in the words of Discord', refused(403, 0), 'passing'],
  [
    'a server that fails',
    new HTTPError(502, 'Bad Gateway', 'PATCH', '/', { body: undefined, files: [] }),
    'passing',
  ],
  ['a connection that breaks', new Error('ECONNRESET'), 'passing'],
])('%s is judged', (_, error, verdict) => {
  expect(verdictOn(error)).toBe(verdict);
});

test('the longest wait that a rate limit names is kept', () => {
  const limit = { retryAfter: 1_500, sublimitTimeout: 4_000, timeToReset: 0, limit: 5 };
  const rest = {
    method: 'PATCH',
    hash: '',
    url: '',
    route: '',
    majorParameter: '',
    global: false,
    scope: 'user' as const,
  };
  expect(askedToWaitMs(new RateLimitError({ ...limit, ...rest }))).toBe(4_000);
  expect(askedToWaitMs(new Error('no limit'))).toBe(0);
});
