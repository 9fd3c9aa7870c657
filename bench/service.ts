import type { Line } from './line.ts';
import { longQueue } from './long-queue.ts';
import { otherCallers } from './other-callers.ts';
import { pollsBesideUploads } from './polls-beside-uploads.ts';
import { createPostgresSchema, createSqliteFile } from './service-database.ts';
import { throughput } from './throughput.ts';
import { webhooks } from './webhooks.ts';

/** The image service: what it answers on each database, with a long queue, and while others ask for much. */
export async function serviceThroughput({
  postgresUrl,
  notice,
}: {
  /**
   * Of a PostgreSQL database. Where it is absent or does not answer, `notice` hears that nothing is measured there.
   */
  postgresUrl: string | undefined;
  notice(text: string): void;
}): Promise<readonly Line[]> {
  const lines = [
    ...(await throughput(createSqliteFile)),
    ...(await longQueue(createSqliteFile)),
    ...(await otherCallers(createSqliteFile)),
    ...(await pollsBesideUploads()),
    ...(await webhooks(createSqliteFile)),
  ];
  if (postgresUrl === undefined) {
    notice('  not measured on PostgreSQL: TEST_POSTGRES_URL is not set');
    return lines;
  }
  const create = () => createPostgresSchema(postgresUrl);
  const reachable = await create().then(
    ({ remove }) => remove().then(() => true),
    () => false,
  );
  if (reachable) return [...lines, ...(await throughput(create)), ...(await longQueue(create))];
  notice('  not measured on PostgreSQL: that of TEST_POSTGRES_URL does not answer');
  return lines;
}
