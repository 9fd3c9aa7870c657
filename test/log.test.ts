import { captureLog } from '@darkroom/testing';
import { DiscordAPIError } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog, scrub } from '../src/log.ts';

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const word = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${min},${max}}$`));
const snowflake = fc.stringMatching(/^[1-9]\d{16,19}$/);

const key = hex(48).map((digits) => `sk-${digits}`);
const loginToken = hex(48).map((digits) => `lt-${digits}`);
const botToken = fc
  .tuple(word(24, 28), word(6, 6), word(27, 38))
  .map((parts) => parts.join('.'))
  .filter((token) => /^\w/.test(token));
const interactionToken = word(150, 200).map((rest) => `aW50ZXJhY3Rpb246${rest}`);
const webhookPath = fc
  .tuple(fc.constantFrom('webhooks', 'interactions'), snowflake, word(64, 70))
  .map(([kind, id, token]) => ({ path: `/${kind}/${id}/${token}`, token }));

test.each([
  ['key', key],
  ['login token', loginToken],
  ['bot token', botToken],
  ['interaction token', interactionToken],
] as const)('no %s survives, whatever stands around it', (_name, secrets) => {
  fc.assert(
    fc.property(fc.string(), secrets, fc.string(), (before, secret, after) => {
      expect(scrub(before + secret + after)).not.toContain(secret);
    }),
  );
});

test.each(['api_key%3D', '%22', 'x', '_', '-', 'Bot ', 'Bearer:'])(
  'a secret right after “%s” does not survive',
  (before) => {
    fc.assert(
      fc.property(
        fc.oneof(key, loginToken, botToken),
        fc.constantFrom('', '_', 'g', '0', '-'),
        (secret, after) => {
          expect(scrub(before + secret + after)).not.toContain(secret);
        },
      ),
    );
  },
);

test('no token in the path of a webhook or of a callback survives', () => {
  fc.assert(
    fc.property(
      fc.string(),
      webhookPath,
      fc.constantFrom('', '/messages/@original', '?wait=true'),
      (before, { path, token }, after) => {
        expect(scrub(`${before}https://discord.com/api/v10${path}${after}`)).not.toContain(token);
      },
    ),
  );
});

test('secrets of no known form are known by the name that they stand behind', () => {
  const secret = 'an opaque value';
  for (const name of ['token', 'api_key', 'x-api-key', 'Authorization']) {
    expect(scrub(JSON.stringify({ [name]: secret }))).not.toContain(secret);
    expect(scrub(JSON.stringify(JSON.stringify({ [name]: secret })))).not.toContain(secret);
  }
  expect(scrub('/api.php?action=x&token=opaque-value&page=1')).toBe(
    '/api.php?action=x&token=[secret]&page=1',
  );
});

test('a header and the password in an address are known however they are written', () => {
  for (const line of [
    'authorization: Bearer foreign-key-123',
    "headers: { 'x-api-key': 'foreign-key-123' }",
    '{"headers":{"authorization":["Bearer foreign-key-123"]}}',
    'X-Api-Key=foreign-key-123',
    'postgres://ann:foreign-key-123@db.example/books',
  ]) {
    expect(scrub(line)).not.toContain('foreign-key-123');
    expect(scrub(scrub(line))).toBe(scrub(line));
    expect(scrub(JSON.stringify({ line }))).not.toContain('foreign-key-123');
  }
  expect(scrub('postgres://ann:x@db.example/books')).toBe('postgres://ann:[secret]@db.example/books');
});

test('the last four characters of a key stay, to tell keys apart', () => {
  expect(scrub(`linked sk-${'0'.repeat(44)}beef.`)).toBe('linked sk-…beef.');
});

test('text without secrets stays as it is', () => {
  const text =
    'task 6f1c2a44-8d5e-4a57-9d3b-0a9a3c1f7e11 of 123456789012345678 is at 45 %: a sk-yline, v1.10.2026';
  expect(scrub(text)).toBe(text);
});

test('a line in the log holds no secret, in its message, its fields, or an error and its causes', () => {
  fc.assert(
    fc.property(key, botToken, webhookPath, (secret, token, { path, token: interaction }) => {
      const { log, lines } = captureLog(scrub);
      const deepest = Object.assign(new Error(`PATCH ${path}`), { url: `https://discord.com/api${path}` });
      const middle = new Error(`refused for ${secret}`, { cause: deepest });
      const err = Object.assign(new Error('outer', { cause: middle }), {
        requestBody: { token, key: secret },
      });
      log.error({ err, nested: { deep: [secret, { authorization: `Bot ${token}` }] } }, `with ${secret}`);
      const written = lines.join('');
      expect(written).toContain('refused for');
      for (const hidden of [secret, token, interaction]) expect(written).not.toContain(hidden);
    }),
    { numRuns: 50 },
  );
});

test('an error of Discord is logged without what was sent, in it, in a cause, or among several', () => {
  const refused = new DiscordAPIError(
    { code: 50035, message: 'Invalid Form Body' },
    50035,
    400,
    'PATCH',
    `https://discord.com/api/v10/webhooks/100000000000000001/${'t'.repeat(64)}/messages/@original`,
    { body: { content: 'a secret wish' }, files: [{ name: '1.png', data: Buffer.from('a picture') }] },
  );
  const { log, lines } = captureLog(scrub);
  log.warn({ err: refused }, 'refused');
  log.warn({ err: new Error('outer', { cause: refused }) }, 'refused');
  log.warn({ err: new AggregateError([refused], 'several') }, 'refused');
  for (const line of lines) {
    expect(line).toContain('Invalid Form Body');
    for (const sent of ['a secret wish', '"data"', 'ttttt']) expect(line).not.toContain(sent);
  }
  expect(JSON.parse(lines[0] ?? '').err).toEqual({
    type: 'DiscordAPIError',
    message: 'Invalid Form Body',
    stack: expect.stringContaining('log.test.ts'),
    code: 50035,
    status: 400,
    method: 'PATCH',
    url: 'https://discord.com/api/v10/webhooks/100000000000000001/[token]/messages/@original',
  });
});

test('a scrubbed line is still one JSON object with its time', () => {
  const { log, lines } = captureLog(scrub);
  log.warn({ body: JSON.stringify({ api_key: `sk-${'0'.repeat(48)}` }) }, 'a body');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: 'a body', time: expect.any(String) });
});

test('a level that is not asked for is not written', () => {
  const lines: string[] = [];
  const log = createLog({ destination: { write: (line) => void lines.push(line) } });
  log.debug('too much');
  log.info('enough');
  expect(lines).toHaveLength(1);
});
