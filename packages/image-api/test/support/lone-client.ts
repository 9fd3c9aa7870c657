import { createImageClient } from '../../src/client/client.ts';
import { A_KEY } from './polite-service.ts';

/** A program that does nothing but ask for a balance, for a test of what keeps it alive. */
const { BASE_URL: baseUrl } = process.env;
if (!baseUrl) throw new Error('BASE_URL says where the service is');

const client = createImageClient({ baseUrl });
try {
  const { balance } = await client.balance({ apiKey: A_KEY });
  process.stdout.write(`${balance} credits\n`);
} finally {
  await client.close();
}
