import { writeFile } from 'node:fs/promises';
import { OperatorError } from '@darkroom/process';
import { openSqlite } from '@darkroom/storage';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/operator/words/words.ts';
import { machineProblem } from '../../src/setup/machine-problem.ts';

const { machine } = wordsIn('de');
const problemOf = (error: unknown) => machineProblem(error, wordsIn('de'));

test.runIf(process.platform === 'linux')('a full disk is said, also where it is the cause', async () => {
  const cause = await writeFile('/dev/full', 'x').catch((error: unknown) => error);
  expect(problemOf(cause)).toBe(machine.full);
  expect(problemOf(new OperatorError('The file cannot be made', { cause }))).toBe(machine.full);
});

test('a database that has no room left is on a full disk', () => {
  const sqlite = openSqlite(':memory:', { timeoutMs: 0 });
  sqlite.exec('PRAGMA max_page_count = 2; CREATE TABLE one (text)');
  let thrown: unknown;
  try {
    sqlite.exec('INSERT INTO one VALUES (hex(zeroblob(100000)))');
  } catch (error) {
    thrown = error;
  } finally {
    sqlite.close();
  }
  expect(problemOf(thrown)).toBe(machine.full);
});

test('a full disk is said behind an error with a code of its own, and a broken disk is not called full', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(problemOf(Object.assign(new Error('Closed', { cause: full }), { code: 'ERR_CLOSED' }))).toBe(
    machine.full,
  );
  const broken = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
  expect(problemOf(broken)).toBe('disk I/O error.');
});

test('what is not of the machine is said in its own words', () => {
  expect(problemOf(new OperatorError('The AI Horde does not answer.'))).toBe('Die AI Horde antwortet nicht.');
});
