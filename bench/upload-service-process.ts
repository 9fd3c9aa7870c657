import { NO_LIMIT, startBenchService } from './bench-service.ts';
import { answerQuestions } from './forked.ts';
import { memory } from './memory.ts';
import { createSqliteFile } from './service-database.ts';
import type { UploadServiceAddress, UploadServiceQuestion } from './upload-service.ts';

/** The entry of the process that `startUploadService` starts. */
const [numberOfAccounts = 0, waiting = 0] = process.argv.slice(2).map(Number);
let begun = 0;
const database = await createSqliteFile();
const { url, accounts, tasks, close } = await startBenchService(database, {
  accounts: numberOfAccounts,
  tasks: waiting,
  limits: { perMinute: NO_LIMIT, waiting: NO_LIMIT, ...(waiting > 0 && { slots: 0 }) },
  onDraw() {
    begun += 1;
    // So that the next one has its turn.
    throw new Error('nothing is drawn here');
  },
});
const ANSWERS = {
  address: () => ({ url, accounts, tasks }) satisfies UploadServiceAddress,
  begun: () => begun,
  memory,
};
answerQuestions(({ ask }: UploadServiceQuestion) => ANSWERS[ask]());
// What it has measured is written down at its exit. An upload that is still on its way would write beside the removal.
process.once('SIGTERM', async () => {
  await close();
  await database.remove();
  process.exit();
});
