import { resolve } from 'node:path';
import { OperatorError, ownCommand } from '@darkroom/process';
import { isMissing, sqlitePath } from '@darkroom/storage';

/** SQLite would make one. Throws `OperatorError`. */
export function refuseMissing(databaseUrl: string): void {
  const path = sqlitePath(databaseUrl);
  if (path !== undefined && isMissing(path))
    throw new OperatorError(
      `There is no database ${resolve(path)}. Look at SERVICE_DATABASE_URL and DARKROOM_HOME. The service makes one when it starts, and so does ${ownCommand('service', 'account add NAME --create')}.`,
    );
}
