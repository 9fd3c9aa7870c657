import { ServiceError } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { explainError } from '../../src/bot/explain-error.ts';
import { UnusableKeyError } from '../../src/credentials/credentials.ts';
import { createLog } from '../../src/log.ts';
import { en } from '../../src/messages/locale/en.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { StoreError } from '../../src/storage/collection.ts';

const NEXT_STEPS = nextStepsOf(commands);

/** What a person reads of `error`, and what the log holds of it. */
function explained(error: unknown, nextSteps = NEXT_STEPS) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const permissions = { callerHas: () => false };
  const { content = '', rows = [] } = explainError(error, { permissions, texts: en, nextSteps }, log);
  return { text: content, rows, lines };
}

test('our own words are said as they are, and not logged', () => {
  expect(explained(new UserError('`steps` must be a whole number.'))).toEqual({
    text: '`steps` must be a whole number.',
    rows: [],
    lines: [],
  });
});

test('a refusal with a next step offers it as a button', () => {
  const { text, rows, lines } = explained(
    new UserError('no key', { nextSteps: [NEXT_STEPS.linkKey?.('member', en)] }),
  );
  expect(text).toBe('no key');
  expect(rows).toMatchObject([{ components: [{ label: 'Link a key', custom_id: 'apikey:ask:own' }] }]);
  expect(lines).toEqual([]);
});

test('who has linked a key that cannot be read is told so, and can link it again', () => {
  const { text, rows } = explained(
    new UnusableKeyError({ kind: 'member', id: '200000000000000001' }, 'unreadable'),
  );
  expect(text).toBe(en.refusal.unreadableKey);
  expect(rows).toMatchObject([{ components: [{ custom_id: 'apikey:ask:own' }] }]);
  const ofServer = explained(new UnusableKeyError({ kind: 'guild', id: '400000000000000001' }, 'unreadable'));
  expect(ofServer.text).toContain('`/apikey server link`');
  expect(ofServer.rows).toEqual([]);
});

test('a failure of the service is said in words, with a reference that finds it in the log', () => {
  const { text, lines } = explained(new ServiceError('unauthorized', '401 from GET /v1'));
  expect(text).toContain(en.failure.reasons.unauthorized.member);
  expect(text).not.toContain('/v1');
  expect(lines).toMatchObject([{ level: 40, kind: 'unauthorized' }]);
  expect(text).toContain(`Reference ${lines[0]?.reference}`);
});

test('a call that the service does not know is one that it refuses, not a lost picture', () => {
  const { text, lines } = explained(new ServiceError('not-found', '404', { reason: 'no such endpoint' }));
  expect(text).toContain(`${en.failure.reasons.refused} It said: no such endpoint`);
  expect(lines).toMatchObject([{ kind: 'not-found' }]);
});

test('what the service says of a refusal is passed on as it was written', () => {
  const { text } = explained(
    new ServiceError('refused', '400', { reason: '**no** such [model](https://e.example)' }),
  );
  expect(text).toContain('It said: \\*\\*no\\*\\* such \\[model\\](https\\://e\\.example)');
});

test('a store that fails is said so, here and in the log, and is no mistake of ours', () => {
  const { text, lines } = explained(new StoreError('writing guild-settings failed: disk I/O error'));
  expect(lines).toMatchObject([{ level: 50, msg: 'an interaction was refused: the store failed' }]);
  expect(text).toBe(en.refusal.storeDown(`${lines[0]?.reference}`));
});

test('a mistake of ours shows nothing of itself but its reference', () => {
  const { text, lines } = explained(new TypeError('x is not a function'));
  expect(text).not.toContain('x is not');
  expect(lines).toMatchObject([{ level: 50, err: { message: 'x is not a function' } }]);
  expect(text).toContain(`${lines[0]?.reference}`);
});
