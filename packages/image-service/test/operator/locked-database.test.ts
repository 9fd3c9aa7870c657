import { OperatorError } from '@darkroom/process';
import { openSqlite, sqlitePath } from '@darkroom/storage';
import { expect, onTestFinished, test } from 'vitest';
import { operator } from '../support/operator.ts';

test('a database that another program keeps to itself is named in one sentence', async () => {
  const { storage, run } = await operator();
  await run('account', 'add', 'otto', '--create');
  const path = sqlitePath(storage.databaseUrl) ?? '';
  const other = openSqlite(path, { timeoutMs: 0 });
  onTestFinished(() => other.close());
  other.exec('begin immediate');
  const refused = run('account', 'add', 'mira');
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(
    `The service cannot use its database ${path}: the SQLite file is locked by another process`,
  );
});
