import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** The least that can poll: undici, each task 2 to 3 seconds after its last answer, and nothing else. */
const [origin = '', tasks] = process.argv.slice(2);
const pool = new Pool(origin, { connections: 64 });

async function poll(id: string): Promise<void> {
  const path = `/v1/index.php?endpoint=task_status&task_id=${id}`;
  for (;;) {
    await delay(2_000 + Math.random() * 1_000);
    const { body } = await pool.request({ method: 'GET', path, headers: { 'x-api-key': 'a key' } });
    await body.json();
  }
}

await Promise.all(Array.from({ length: Number(tasks) }, () => poll(randomUUID())));
