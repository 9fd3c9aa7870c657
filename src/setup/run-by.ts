import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { wantedPackages } from '@darkroom/image-service/config';
import { npmScript, ownCommand, shellWord } from '@darkroom/process';
import { addressesInContainer } from '../container-host.ts';
import { findUnit, UNITS } from '../operator/find-unit.ts';
import { unitOf } from '../operator/systemd-unit.ts';
import type { Words } from '../operator/words/words.ts';
import { type Ask, untilDone } from './ask.ts';
import { isKeyOfAccount, secretsOfThisMachine } from './payer.ts';
import { replaceFile, unwritten } from './replace-file.ts';
import type { StepContext } from './step.ts';

export const WAYS = ['npm', 'systemd', 'docker'] as const;
export type Way = (typeof WAYS)[number];

/** How the bot will run; here, unless somebody says otherwise. Only Linux has systemd. */
export const askWay = async (ask: Ask, { run }: Words): Promise<Way> =>
  ask.isAttended
    ? ask.choose<Way>(
        run.question,
        WAYS.filter((way) => way !== 'systemd' || process.platform === 'linux').map((value) => ({
          value,
          label: run[value],
        })),
      )
    : 'npm';

/** Says what starts the bot, after it has written what that wants. Resolves with the command. */
export async function settleRun(
  context: StepContext,
  way: Way,
  { home = process.cwd(), units = UNITS }: { home?: string; units?: string } = {},
): Promise<string> {
  const { ask, words } = context;
  const settle: Readonly<Record<Way, () => Promise<string>>> = {
    npm: async () => ownCommand('start'),
    systemd: () => settleUnit(context, { home, units }),
    docker: () => settleContainers(context),
  };
  const command = await settle[way]();
  ask.right(words.run.by(command));
  if (way === 'docker') ask.tell(words.run.account(CONTAINER_ACCOUNT));
  return command;
}

/** Writes the unit into the folder of the bot, and says how systemd gets it. Resolves with what starts it then. */
async function settleUnit(
  { ask, words }: StepContext,
  { home, units }: { home: string; units: string },
): Promise<string> {
  const { name, installed } = findUnit(home, units);
  const path = join(home, `${name}.service`);
  async function write(): Promise<void> {
    try {
      const { username: user } = userInfo();
      await replaceFile(path, await unitOf({ home, user, script: npmScript() }));
    } catch (cause) {
      throw unwritten(path, cause, words);
    }
  }
  await untilDone(write, { ask, question: words.file.again });
  if (installed === undefined && name !== 'darkroom')
    ask.tell(words.run.otherUnit(join(units, 'darkroom.service'), name));
  ask.tell(words.run.unit(shellWord(path), join(units, `${name}.service`)));
  return `sudo systemctl daemon-reload && sudo systemctl enable ${name} && sudo systemctl restart ${name}`;
}

/**
 * Writes what compose.yaml wants, and takes away what only holds outside of containers. Resolves with what starts them.
 */
async function settleContainers({ settings, ask, words }: StepContext): Promise<string> {
  await settings.save({
    SECRET_KEY: settings.get('SECRET_KEY') ?? (await secretsOfThisMachine(settings)).join(','),
    POSTGRES_PASSWORD: settings.get('POSTGRES_PASSWORD') ?? randomBytes(16).toString('hex'),
  });
  const addresses = addressesInContainer(settings.get);
  await settings.save(addresses);
  if (Object.keys(addresses).length > 0) ask.tell(words.run.listening);
  const [HOSTED_MODEL, PICTURES_URL] = [settings.get('HOSTED_MODEL'), settings.get('PICTURES_URL')];
  const packages = wantedPackages({ HOSTED_MODEL, PICTURES_URL });
  if (packages.length > 0) await settings.save({ PACKAGES: packages.join(' ') });
  if (await isKeyOfAccount(settings)) {
    ask.tell(words.run.otherAccounts);
    await settings.save({ IMAGE_API_KEY: '' });
  }
  return 'docker compose up -d --build';
}

const CONTAINER_ACCOUNT = 'docker compose exec service darkroom service account add NAME --credits 100';
