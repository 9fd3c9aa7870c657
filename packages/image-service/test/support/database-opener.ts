import { openDatabase } from '../../src/database/database.ts';

/** Opens a database in a process of its own, for tests that kill it meanwhile. */
const [url] = process.argv.slice(2);
if (!url) throw new Error('usage: database-opener DATABASE_URL');
process.stdout.write('opening\n');
const db = await openDatabase(url);
process.stdout.write('opened\n');
await db.destroy();
