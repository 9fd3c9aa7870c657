import { runMain, tellMisspelt } from '@darkroom/process';
import { commands } from '../../../commands/index.ts';
import { CONFIG_KEYS, loadConfig } from '../../config.ts';
import { diagnose, printed } from './checkup.ts';
import { discordCheckups } from './discord-checkups.ts';
import { engineCheckups } from './engine-checkups.ts';
import { serviceCheckups } from './service-checkups.ts';
import { storeCheckups } from './store-checkups.ts';

/** `npm run doctor`: what usually breaks, a line for each. The exit code is 1 where something is not well. */
await runMain(async () => {
  tellMisspelt(process.env, CONFIG_KEYS);
  const config = loadConfig(process.env);
  const diagnoses = await diagnose([
    ...discordCheckups(config, commands),
    ...serviceCheckups(config),
    ...engineCheckups(config),
    ...storeCheckups(config),
  ]);
  process.stdout.write(printed(diagnoses));
  if (diagnoses.some(({ isWell }) => !isWell)) process.exitCode = 1;
});
