import { runMain } from '@darkroom/process';
import { runStoreCommand } from './store-commands.ts';

/** `npm run store -- copy|backup|restore`. */
await runMain(async () => {
  process.stdout.write(await runStoreCommand(process.argv.slice(2), process.env));
});
