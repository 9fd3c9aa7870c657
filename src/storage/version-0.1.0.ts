import type { Query } from './sqlite-database.ts';

const TABLES = ['jobs', 'keys', 'origins', 'setaside', 'pictures', 'unfinished', 'members'];

/** When a row expires, which Keyv keeps in its text. That text may be damaged. */
const EXPIRES = "CASE WHEN json_valid(value) THEN json_extract(value, '$.expires') END";

const MEMBER = "json_extract(value, '$.value.member.id')";
/** `MEMBER:ID`, with as many digits as any snowflake can have. */
const MEMBER_AND_ID = `${MEMBER} || ':' || printf('%020d', json_extract(value, '$.value.id'))`;
const IS_OVER = "json_extract(value, '$.value.state') IN ('delivered', 'failed')";

/**
 * Moves the rows of version 0.1.0, which had a table for each collection, and makes the indexes of its jobs as this version
 * keeps them. What cannot be read stays as it is. Does nothing where there are no such tables.
 */
export async function moveRowsOf010(query: Query): Promise<void> {
  // Those that are missing are made, so that there is one way.
  for (const table of TABLES) {
    await query(`CREATE TABLE IF NOT EXISTS ${table} (key VARCHAR(255) PRIMARY KEY, value TEXT)`);
  }
  await query(
    `INSERT INTO bot_rows (key, value)
      SELECT 'unfinished:' || ${MEMBER_AND_ID},
        json_object('value', json_object('guildId', json_extract(value, '$.value.guildId')))
      FROM jobs WHERE CASE WHEN json_valid(value) THEN ${MEMBER} IS NOT NULL AND NOT ${IS_OVER} END`,
  );
  await query(
    `INSERT INTO bot_rows (key, value, expires)
      SELECT 'members:' || ${MEMBER_AND_ID}, '{"value":{}}', ${EXPIRES}
      FROM jobs WHERE CASE WHEN json_valid(value) THEN ${MEMBER} IS NOT NULL END`,
  );
  const move = (from: string, to: string) =>
    query(`INSERT INTO ${to} (key, value, expires) SELECT key, value, ${EXPIRES} FROM ${from}`);
  for (const table of ['jobs', 'keys', 'origins', 'setaside']) await move(table, 'bot_rows');
  await move('pictures', 'bot_pictures');
  for (const table of TABLES) await query(`DROP TABLE ${table}`);
}
