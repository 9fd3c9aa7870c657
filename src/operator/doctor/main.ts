// `darkroom doctor`: what usually breaks, a line for each. The exit code is 1 where something is not well.
import { tellUnread } from '@darkroom/process';
import { CONFIG_KEYS, loadConfig } from '../../config.ts';
import { inWords, wordsOf } from '../words/words.ts';
import { diagnose, printed } from './checkup.ts';

tellUnread(process.env, CONFIG_KEYS);
const words = wordsOf(process.env);
const config = inWords(words, () => loadConfig(process.env));
const { everyCheckup } = await import('./every-checkup.ts');
const { commands } = await import('../../../commands/index.ts');
const diagnoses = await diagnose(everyCheckup(config, commands, words), words);
process.stdout.write(printed(diagnoses, words));
if (diagnoses.some(({ isWell }) => !isWell)) process.exitCode = 1;
