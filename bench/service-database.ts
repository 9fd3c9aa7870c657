import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client, Pool } from 'pg';

/** How long PostgreSQL may take to answer before it counts as away, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 3_000;
/** As many connections as the service has. */
const CONNECTIONS = 10;

/** What the service reads of a task to answer a poll. */
const POLLED_COLUMNS = [
  'id',
  'state',
  'seed',
  'cost',
  'charged',
  'turn',
  'progress',
  'expectedMs',
  'createdAt',
  'startedAt',
  'finishedAt',
  'picture',
  'notDrawn',
  'preview',
  'error',
  'errorCode',
  'accountId',
].map((name) => `"${name}"`);
const WEBHOOK = `(select "status" from webhooks where "taskId" = tasks.id) as "webhook"`;
const READ = `select ${POLLED_COLUMNS}, ${WEBHOOK} from tasks where id = `;

/** A new database of the image service, with a folder beside it. */
export interface BenchDatabase {
  /** As the lines name it. */
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly folder: string;
  readonly url: string;
  /** Runs statements, separated by semicolons, while whoever calls the service waits. */
  execute(sql: string): Promise<void>;
  /** The least that has to be done for a poll and for a submission: only once there are tables. */
  bare(): Promise<BareDatabase>;
  remove(): Promise<void>;
}

/** One prepared statement each. */
interface BareDatabase {
  read(id: string): unknown;
  /** Durable once it resolves. Returns the id. */
  insert(body: string): unknown;
  close(): Promise<void>;
}

export async function createSqliteFile(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const path = join(folder, 'service.sqlite');
  return {
    name: 'SQLite',
    folder,
    url: `sqlite://${path}`,
    async execute(sql) {
      const file = new Database(path);
      file.exec(sql);
      file.close();
    },
    async bare() {
      const tasks = new Database(path, { readonly: true });
      const read = tasks.prepare(`${READ} ?`);
      const own = new Database(join(folder, 'bare.sqlite'));
      own.pragma('journal_mode = WAL');
      own.pragma('synchronous = FULL');
      own.exec('create table bare (id integer primary key autoincrement, body text not null)');
      const insert = own.prepare('insert into bare (body) values (?)');
      return {
        read: (id) => read.get(id),
        insert: (body) => insert.run(body).lastInsertRowid,
        async close() {
          tasks.close();
          own.close();
        },
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A schema of its own in the database behind `url`. Rejects where PostgreSQL does not answer. */
export async function createPostgresSchema(url: string): Promise<BenchDatabase> {
  const name = `darkroom_bench_${randomBytes(6).toString('hex')}`;
  const own = new URL(url);
  own.searchParams.set('options', `-csearch_path=${name}`);
  const execute = async (sql: string) => {
    const client = new Client({ connectionString: own.href, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`create schema ${name}`);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  return {
    name: 'PostgreSQL',
    folder,
    url: own.href,
    execute,
    async bare() {
      await execute('create table bare (id bigserial primary key, body text not null)');
      const pool = new Pool({ connectionString: own.href, max: CONNECTIONS });
      return {
        read: async (id) => (await pool.query({ name: 'read', text: `${READ} $1`, values: [id] })).rows[0],
        insert: async (body) => {
          const text = 'insert into bare (body) values ($1) returning id';
          return (await pool.query({ name: 'insert', text, values: [body] })).rows[0].id;
        },
        close: () => pool.end(),
      };
    },
    async remove() {
      await execute(`drop schema ${name} cascade`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
