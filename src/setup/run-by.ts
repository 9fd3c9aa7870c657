import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { wantedPackages } from '@darkroom/image-service/config';
import { npmScript, ownCommand, shellWord } from '@darkroom/process';
import { addressesInContainer } from '../container-host.ts';
import { unitOf } from '../operator/systemd-unit.ts';
import type { Words } from '../operator/words/words.ts';
import { type Ask, untilDone } from './ask.ts';
import { isKeyOfAccount, secretsOfThisMachine } from './payer.ts';
import { replaceFile, unwritten } from './replace-file.ts';
import type { StepContext } from './step.ts';

export const WAYS = ['npm', 'systemd', 'docker'] as const;
export type Way = (typeof WAYS)[number];

const UNIT = 'darkroom.service';

/** How the bot will run; here, unless somebody says otherwise. */
export const askWay = async (ask: Ask, { run }: Words): Promise<Way> =>
  ask.isAttended
    ? ask.choose<Way>(
        run.question,
        WAYS.map((value) => ({ value, label: run[value] })),
      )
    : 'npm';

/** Says what starts the bot, after it has written what that wants. Resolves with the command. */
export async function settleRun(context: StepContext, way: Way): Promise<string> {
  const { ask, words } = context;
  const { run } = words;
  if (way === 'systemd') {
    await writeUnit({ ask, words });
    ask.tell(run.unit(shellWord(resolve(UNIT))));
  }
  if (way === 'docker') await settleContainers(context);
  const command = way === 'npm' ? ownCommand('start') : COMMANDS[way];
  ask.right(run.by(command));
  if (way === 'docker') ask.tell(run.account(CONTAINER_ACCOUNT));
  return command;
}

function writeUnit({ ask, words }: Pick<StepContext, 'ask' | 'words'>): Promise<void> {
  async function write(): Promise<void> {
    try {
      const { username: user } = userInfo();
      await replaceFile(UNIT, await unitOf({ home: process.cwd(), user, script: npmScript() }));
    } catch (cause) {
      throw unwritten(UNIT, cause, words);
    }
  }
  return untilDone(write, { ask, question: words.file.again });
}

/** Writes what compose.yaml wants, and takes away what only holds outside of containers. */
async function settleContainers({ settings, ask, words }: StepContext): Promise<void> {
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
}

const COMMANDS: Readonly<Record<Exclude<Way, 'npm'>, string>> = {
  systemd:
    'sudo systemctl daemon-reload && sudo systemctl enable darkroom && sudo systemctl restart darkroom',
  docker: 'docker compose up -d --build',
};

const CONTAINER_ACCOUNT = 'docker compose exec service darkroom service account add NAME --credits 100';
