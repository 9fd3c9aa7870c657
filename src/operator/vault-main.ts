// `darkroom vault check|rotate|reset`.
import { tellUnread } from '@darkroom/process';
import { CONFIG_KEYS } from '../config.ts';
import { runVaultCommand } from './vault-commands.ts';

tellUnread(process.env, CONFIG_KEYS);
process.stdout.write(await runVaultCommand(process.argv.slice(2), process.env));
