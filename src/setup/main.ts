import { isatty } from 'node:tty';
import { OperatorError, runMain } from '@darkroom/process';
import { type Words, wordsIn, wordsOf } from '../operator/words/words.ts';
import { SETTINGS_FILE } from '../settings-file.ts';
import { type Ask, Stopped, untilDone } from './ask.ts';
import { type EnvFile, openEnvFile } from './env-file.ts';
import { readFlags } from './flags.ts';
import { createSettings, SECRETS, withoutPassword } from './settings.ts';
import { examine, setUp } from './setup.ts';
import { areSketchesChosen, sourceGiven } from './source.ts';
import { askInTerminal } from './terminal.ts';
import { askNobody } from './unattended.ts';

/** Of everybody who has none of their own; their pictures come last. */
const EVERYBODYS_HORDE_KEY = '0000000000';

const loadCommands = async () => (await import('../../commands/index.ts')).commands;

/** Exit codes: answers are missing and nobody is there to give them; stopped by Ctrl-C. */
const MISSING = 2;
const STOPPED = 130;

/** `darkroom setup`. The exit code is 1 where something is not well. */
await runMain(async () => {
  const typed = await readFlags(process.argv.slice(2), wordsOf(process.env));
  if (typed === undefined) return;
  // What scripts read is the same whatever the terminal's language is.
  const language = typed.language ?? (typed.json ? 'en' : undefined);
  const words = language === undefined ? wordsOf(process.env) : wordsIn(language);
  const isAttended = !typed.json && !typed.check && isatty(0) && isatty(1);
  const ask = isAttended
    ? askInTerminal(words)
    : askNobody((line) => void (typed.json || process.stdout.write(`${line}\n`)), words);
  const { SDWEBUI_URL = '' } = typed.settings;
  if (withoutPassword(SDWEBUI_URL) !== SDWEBUI_URL)
    throw new OperatorError(words.passwordInFlag('SDWEBUI_URL'));

  try {
    const exported = { ...process.env };
    const file = await openSettings(ask, words);
    // A report of a crash and children would have them.
    for (const name of SECRETS) delete process.env[name];
    const hordeKey = exported.AI_HORDE_KEY?.trim() || file.get('AI_HORDE_KEY') || EVERYBODYS_HORDE_KEY;
    const byFlag = { ...typed.settings, ...(typed.horde && { AI_HORDE_KEY: hordeKey }) };
    const settings = createSettings({ file, flags: byFlag, exported, ask, words });
    if (typed.check) {
      const diagnoses = await examine({ settings, ask, words, loadCommands });
      const overridden = settings.overridden();
      if (typed.json) print({ diagnoses, overridden });
      else if (overridden.length > 0) ask.tell(words.elsewhere(overridden));
      process.exitCode = diagnoses.every(({ isWell }) => isWell) ? 0 : 1;
      return;
    }
    const sketch = typed.sketch || (!typed.choose && areSketchesChosen(file, settings));
    const flags = { ...typed, settings: byFlag, sketch };
    const source = sourceGiven(flags, settings);
    const lacksKey = ['HOSTED_API_KEY', 'HOSTED_BASE_URL'].every((name) => settings.get(name) === undefined);
    const missing = isAttended
      ? []
      : [
          ...(source === undefined && !sketch ? [words.missingPictures] : []),
          ...(source === 'hosted' && lacksKey ? [words.missingKey] : []),
          ...(settings.get('DISCORD_TOKEN') === undefined ? [words.missingToken] : []),
        ];
    if (missing.length > 0) {
      if (typed.json) print({ missing });
      else process.stderr.write([words.missing, ...missing.map((one) => `  ${one}`), ''].join('\n'));
      process.exitCode = MISSING;
      return;
    }
    const result = await setUp({ settings, file, ask, words, loadCommands }, flags);
    if (typed.json) print(result);
    if (result.diagnoses.some(({ isWell }) => !isWell)) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stdout.write(`\n${words.stopped}\n`);
    process.exitCode = STOPPED;
  }
});

/**
 * Opens the file of settings again until it can be read, and puts them into the environment of this process. Rejects
 * as `openEnvFile` does where nobody is there to mend it, and with `Stopped` where nobody would.
 */
function openSettings(ask: Ask, words: Words): Promise<EnvFile> {
  async function open(): Promise<EnvFile> {
    const file = await openEnvFile(SETTINGS_FILE, words);
    Object.assign(process.env, { ...file.settings(), ...process.env });
    return file;
  }
  return untilDone(open, { ask, question: words.file.readAgain });
}

function print(found: object): void {
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
}
