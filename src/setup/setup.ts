import { OperatorError, ownCommand, WrongSettings } from '@darkroom/process';
import type { Command } from '../bot/command.ts';
import { loadConfig } from '../config.ts';
import { type Diagnosis, diagnose, printed } from '../operator/doctor/checkup.ts';
import { inWords } from '../operator/words/words.ts';
import { backupOf, type EnvFile } from './env-file.ts';
import type { Flags } from './flags.ts';
import { settlePayer, settleSecret, withSecret } from './payer.ts';
import { settlePictures } from './pictures.ts';
import { askWay, settleRun } from './run-by.ts';
import type { StepContext } from './step.ts';
import { askToken } from './token.ts';

interface SetupDependencies extends StepContext {
  loadCommands(): Promise<readonly Command[]>;
}

/**
 * From whatever is set to a bot in a server that draws. Each answer is written down before the next question, and what
 * only a later step works with is loaded then: the first question is there at once. Resolves with the names of the
 * settings that were written, those of which the environment has another value, which comes before the file, and the
 * command that starts the bot.
 */
export async function setUp(dependencies: SetupDependencies & { file: EnvFile }, flags: Flags) {
  const { settings, file, ask, words } = dependencies;
  ask.tell(words.begin(file.path));
  await settleWrong(dependencies);
  const ofDiscord = Object.entries(flags.settings).filter(([name]) => name.startsWith('DISCORD_'));
  await settings.save(Object.fromEntries(ofDiscord));
  await settlePictures(flags, dependencies);
  await settleSecret(dependencies);
  ask.topic(words.discord.topic);
  const given = settings.get('DISCORD_TOKEN');
  if (given === undefined) ask.tell(words.discord.about);
  const token = await askToken(given, dependencies);
  const { settleDiscord } = await import('./discord.ts');
  const commands = await dependencies.loadCommands();
  const discord = await settleDiscord(dependencies, { token, invite: flags.invite, commands });
  ask.topic(words.run.topic);
  const way = flags.run ?? (await askWay(ask, words));
  // Containers have a database of their own, which is not there yet.
  if (way !== 'docker') {
    await settlePayer(dependencies, flags.payer);
    if (flags.try && discord.guild !== undefined) {
      const { tryOut } = await import('./try-out.ts');
      await tryOut(dependencies);
    }
  }
  const diagnoses = await examine(dependencies);
  const start = await settleRun(dependencies, way);
  const changed = settings.changed();
  if (changed.length > 0) ask.tell(words.kept(changed));
  if (file.hasBackup()) ask.tell(words.backup(backupOf(file.path)));
  return { discord, changed, overridden: settings.overridden(), diagnoses, start };
}

/**
 * Takes settings away that no program here would start with; what is missing comes with the steps that follow.
 * Rejects with an `OperatorError` where somebody would keep one, or one does not stand in the file.
 */
async function settleWrong({ settings, file, ask, words }: StepContext & { file: EnvFile }): Promise<void> {
  try {
    loadConfig(await withSecret(settings));
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong = error.names.filter((name) => settings.get(name) !== undefined);
    if (wrong.length === 0) return;
    const problem = words.said(error.message);
    if (!ask.isAttended) throw new OperatorError(problem, { cause: error });
    ask.wrong(problem);
    const isElsewhere = wrong.some((name) => settings.get(name) !== file.get(name));
    if (isElsewhere || !(await settings.save(Object.fromEntries(wrong.map((name) => [name, ''])))))
      throw new OperatorError(words.keptWrong);
    // What was taken away may have been right for another.
    await settleWrong({ settings, file, ask, words });
  }
}

/** What `darkroom doctor` finds with these settings, told. */
export async function examine({
  settings,
  ask,
  words,
  loadCommands,
}: SetupDependencies): Promise<Diagnosis[]> {
  const all = await settings.all();
  const config = inWords(words, () => loadConfig(all));
  const { everyCheckup } = await import('../operator/doctor/every-checkup.ts');
  const commands = await loadCommands();
  const diagnoses = await ask.during(words.run.looking, (_, signal) =>
    diagnose(everyCheckup(config, commands, words), words, { signal }),
  );
  ask.tell(printed(diagnoses, words).trimEnd());
  if (diagnoses.some(({ isWell }) => !isWell)) ask.tell(words.run.notWell(ownCommand('doctor')));
  return diagnoses;
}
