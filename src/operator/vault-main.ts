import { runMain } from '@darkroom/process';
import { runVaultCommand } from './vault-commands.ts';

/** `npm run vault -- check|rotate|reset`. */
await runMain(async () => {
  process.stdout.write(await runVaultCommand(process.argv.slice(2), process.env));
});
