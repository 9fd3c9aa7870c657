import type { Command } from '../src/bot/command.ts';
import { apikey } from './apikey.ts';
import { balance } from './balance.ts';
import { graph } from './graph.ts';
import { help } from './help.ts';
import { imagine } from './imagine.ts';
import { jobs } from './jobs.ts';
import { moderate } from './moderate.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';
import { usage } from './usage.ts';

/** Every command there is: what the bot answers, what is registered with Discord, and what the tests check. */
export const commands: readonly Command[] = [
  imagine,
  jobs,
  balance,
  apikey,
  usage,
  settings,
  graph,
  moderate,
  privacy,
  help,
];
