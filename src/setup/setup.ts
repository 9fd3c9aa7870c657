import type { Command } from '../bot/command.ts';
import { loadConfig } from '../config.ts';
import { type Diagnosis, diagnose, printed } from '../operator/doctor/checkup.ts';
import { discordCheckups } from '../operator/doctor/discord-checkups.ts';
import { serviceCheckups } from '../operator/doctor/service-checkups.ts';
import { storeCheckups } from '../operator/doctor/store-checkups.ts';
import { type SettledDiscord, settleDiscord } from './discord.ts';
import { backupOf, type EnvFile } from './env-file.ts';
import { settlePayer, settleSecret } from './payer.ts';
import { type PictureWishes, settlePictures } from './pictures.ts';
import { askWay, settleRun, type Way } from './run-by.ts';
import type { StepContext } from './step.ts';
import { tryOut } from './try-out.ts';

export interface SetupDependencies extends StepContext {
  /** What is registered with Discord. */
  commands: readonly Command[];
}

export interface SetupWishes extends PictureWishes {
  isInvited: boolean;
  isTried: boolean;
  way: Way | undefined;
}

export interface SetupResult {
  discord: SettledDiscord;
  /** The names of the settings that were written. */
  changed: string[];
  diagnoses: Diagnosis[];
  /** The command that starts the bot. */
  start: string;
}

/** From whatever is set to a bot in a server that draws. Each answer is written down before the next question. */
export async function setUp(
  dependencies: SetupDependencies & { file: EnvFile },
  wishes: SetupWishes,
): Promise<SetupResult> {
  const { settings, file, ask, words } = dependencies;
  ask.tell(words.begin(file.path));
  const ofDiscord = Object.entries(wishes.flags).filter(([name]) => name.startsWith('DISCORD_'));
  await settings.save(Object.fromEntries(ofDiscord));
  await settlePictures(wishes, dependencies);
  await settleSecret(dependencies);
  const discord = await settleDiscord(dependencies, wishes);
  ask.topic(words.run.topic);
  const way = wishes.way ?? (await askWay(ask, words));
  // Containers have a database of their own, which is not there yet.
  if (way !== 'docker') {
    await settlePayer(dependencies);
    if (wishes.isTried && discord.guild !== undefined) await tryOut(dependencies);
  }
  const diagnoses = await examine(dependencies);
  const start = await settleRun(dependencies, way);
  const changed = settings.changed();
  if (changed.length > 0) ask.tell(words.kept(changed));
  if (file.hasBackup()) ask.tell(words.backup(backupOf(file.path)));
  return { discord, changed, diagnoses, start };
}

/** What `darkroom doctor` finds with these settings, told. */
export async function examine({ settings, ask, words, commands }: SetupDependencies): Promise<Diagnosis[]> {
  const config = loadConfig(settings.all());
  const diagnoses = await diagnose([
    ...discordCheckups(config, commands),
    ...serviceCheckups(config),
    ...storeCheckups(config),
  ]);
  ask.tell(printed(diagnoses).trimEnd());
  if (diagnoses.some(({ isWell }) => !isWell)) ask.tell(words.run.notWell);
  return diagnoses;
}
