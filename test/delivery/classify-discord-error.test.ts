import { DiscordAPIError, DiscordjsError, HTTPError, RateLimitError } from 'discord.js';
import { expect, test } from 'vitest';
import {
  classifyDiscordError,
  closesChannel,
  closesChannelToMessage,
} from '../../src/delivery/classify-discord-error.ts';

const request = { body: undefined, files: [] };

const refused = (status: number, code: number | string) =>
  new DiscordAPIError({ code: Number(code), message: 'no' }, code, status, 'PATCH', '/', request);

test.each([
  ['a deleted message (10008)', refused(404, 10008), 'message-gone'],
  ['an interaction that is too old (10062)', refused(404, 10062), 'token-expired'],
  ['a dead token (50027)', refused(401, 50027), 'token-expired'],
  ['an interaction that was answered (40060)', refused(400, 40060), 'acknowledged'],
  ['closed direct messages (50007)', refused(403, 50007), 'refused'],
  ['missing permissions (50013)', refused(403, 50013), 'refused'],
  ['a deleted channel (10003)', refused(404, 10003), 'channel-gone'],
  ['a server without the bot (10004)', refused(404, 10004), 'channel-forbidden'],
  ['missing access (50001)', refused(403, 50001), 'channel-forbidden'],
  ['AutoMod (200000)', refused(400, 200000), 'blocked'],
  ['too large a body (40005)', refused(413, 40005), 'too-large'],
  ['too large a body, said by a proxy', refused(413, 0), 'too-large'],
  ['too many edits of an old message (30046)', refused(429, 30046), 'temporary'],
  ['too many edits of an old message (30046), as a 400', refused(400, 30046), 'temporary'],
  ['too many new direct messages (40003)', refused(400, 40003), 'temporary'],
  ['an overloaded resource (130000)', refused(503, 130000), 'temporary'],
  ['an answer that is not in the words of Discord', refused(403, 0), 'temporary'],
  ['an answer of Cloudflare (40333)', refused(403, 40333), 'temporary'],
  ['a server that fails', new HTTPError(502, 'Bad Gateway', 'PATCH', '/', request), 'temporary'],
  ['a connection that breaks', new Error('ECONNRESET'), 'temporary'],
])('%s is classified', (_, error, kind) => {
  expect(classifyDiscordError(error).kind).toBe(kind);
});

test('that discord.js has answered an interaction already is told apart from another process that has', () => {
  // Its constructor is private in the types of discord.js.
  const error: unknown = Reflect.construct(DiscordjsError, ['InteractionAlreadyReplied']);
  expect(classifyDiscordError(error)).toEqual({ kind: 'acknowledged-here' });
});

test.each([
  ['a broken connection', new Error('ECONNRESET'), true],
  ['a page of a proxy', refused(502, 0), true],
  ['a block by Cloudflare', refused(403, 40333), true],
  ['a rate limit', refused(429, 0), false],
  ['Discord’s own no', refused(400, 30046), false],
])('after %s the call may have worked: %s', (_, error, mayHaveArrived) => {
  expect(classifyDiscordError(error)).toMatchObject({ kind: 'temporary', mayHaveArrived });
});

test.each([10003, 10004, 50001])('after %i nothing can be shown in the channel', (code) => {
  expect(closesChannel(classifyDiscordError(refused(400, code)))).toBe(true);
});

test.each([200000, 200001])('after %i nothing of the message can be, but of others', (code) => {
  const failure = classifyDiscordError(refused(400, code));
  expect(closesChannelToMessage(failure)).toBe(true);
  expect(closesChannel(failure)).toBe(false);
});

test('a refusal of one message leaves its channel open', () => {
  for (const code of [10008, 40005, 50007, 50013]) {
    expect(closesChannelToMessage(classifyDiscordError(refused(403, code)))).toBe(false);
  }
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
  expect(classifyDiscordError(new RateLimitError({ ...limit, ...rest }))).toMatchObject({
    retryAfterMs: 4_000,
  });
  expect(classifyDiscordError(new Error('no limit'))).toMatchObject({ retryAfterMs: 0 });
});
