import type { Command } from '../../bot/command.ts';
import type { Config } from '../../config.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';
import { databaseCheckups } from './database-checkups.ts';
import { discordCheckups } from './discord-checkups.ts';
import { engineCheckups } from './engine-checkups.ts';
import { serviceCheckups } from './service-checkups.ts';
import { storeCheckups } from './store-checkups.ts';
import { unitCheckups } from './unit-checkups.ts';

/** What `darkroom doctor` looks at, and set-up at its end. */
export const everyCheckup = (config: Config, commands: readonly Command[], words: Words): Checkups => ({
  ...discordCheckups(config, commands, words),
  ...serviceCheckups(config, words),
  ...engineCheckups(config, words),
  ...databaseCheckups(config, words),
  ...storeCheckups(config, words),
  ...unitCheckups(words),
});
