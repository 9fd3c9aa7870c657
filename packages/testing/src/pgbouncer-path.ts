import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * `undefined` where there is no PgBouncer: suites that need one are skipped then. Debian keeps it where only root
 * looks.
 */
export const pgbouncerPath = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));
