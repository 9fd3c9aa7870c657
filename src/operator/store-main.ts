// `darkroom store copy|backup|restore|shards|policy|member`.
import { tellUnread } from '@darkroom/process';
import { CONFIG_KEYS } from '../config.ts';
import { runStoreCommand } from './store-commands.ts';

tellUnread(process.env, CONFIG_KEYS);
process.stdout.write(await runStoreCommand(process.argv.slice(2), process.env));
