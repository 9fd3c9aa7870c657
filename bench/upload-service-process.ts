import { NO_LIMIT, startBenchService } from './bench-service.ts';
import { answerQuestions } from './forked.ts';
import { memory } from './memory.ts';
import { createSqliteFile } from './service-database.ts';

/** What the image service that `upload.ts` measures is asked; it edits pictures, and fails. */
export interface UploadServiceQuestion {
  ask: 'address' | 'begun' | 'memory';
}

let begun = 0;
const database = await createSqliteFile();
const { url, accounts } = await startBenchService(database, {
  accounts: 1,
  limits: { perMinute: NO_LIMIT },
  onDraw() {
    begun += 1;
    // So that the next one has its turn.
    throw new Error('nothing is drawn here');
  },
});
const ANSWERS = {
  address: () => ({ url, apiKey: accounts[0]?.['x-api-key'] }),
  begun: () => begun,
  memory,
};
answerQuestions(({ ask }: UploadServiceQuestion) => ANSWERS[ask]());
// What it has measured is written down at its exit.
process.once('SIGTERM', () => database.remove().then(() => process.exit()));
