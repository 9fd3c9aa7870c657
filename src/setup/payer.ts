import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Service } from '@darkroom/image-service';
import { OperatorError, ownCommand, silentLog, whileOpen } from '@darkroom/process';
import { keyFileIn, sqlitePath } from '@darkroom/storage';
import { loadConfig } from '../config.ts';
import type { Words } from '../operator/words/words.ts';
import { type Ask, Stopped } from './ask.ts';
import { machineProblem } from './machine-problem.ts';
import type { Settings } from './settings.ts';
import type { StepContext } from './step.ts';

/** The account of the included service that pays for everybody, and the credits that it begins with. */
const ACCOUNT = { name: 'discord', credits: 10_000 };

/** All settings, with a secret where none is made yet: PostgreSQL is not taken without one. */
export const withSecret = async (settings: Settings): Promise<Record<string, string>> => ({
  ...(await settings.all()),
  SECRET_KEY: settings.get('SECRET_KEY') ?? '0'.repeat(64),
});

/** The secrets that starts without `SECRET_KEY` have made beside the databases, each once. */
export async function secretsOfThisMachine(settings: Settings): Promise<string[]> {
  const { STORE_URL, SERVICE_DATABASE_URL } = loadConfig(await withSecret(settings));
  const paths = [STORE_URL, SERVICE_DATABASE_URL]
    .map(sqlitePath)
    .flatMap((path) => (path === undefined ? [] : [keyFileIn(dirname(path))]))
    .filter(existsSync);
  const secrets = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return [...new Set(secrets.map((secret) => secret.trim()))];
}

/** Makes `SECRET_KEY`, unless there is one, or one that a start without it has made beside the database. */
export async function settleSecret({ settings, ask, words }: StepContext): Promise<void> {
  if (settings.get('SECRET_KEY') !== undefined) return;
  if ((await secretsOfThisMachine(settings)).length > 0) return;
  await settings.save({ SECRET_KEY: randomBytes(32).toString('hex') });
  ask.tell(words.secretMade);
}

export const PAYERS = ['bot', 'members'] as const;
export type Payer = (typeof PAYERS)[number];

const askPayer = (ask: Ask, { payer }: Words): Promise<Payer> =>
  ask.choose<Payer>(payer.question, [
    { value: 'bot', label: payer.everybody, hint: payer.everybodyHint },
    {
      value: 'members',
      label: payer.members,
      hint: payer.membersHint(ownCommand('service', 'account add NAME')),
    },
  ]);

/** Whose key pays where nobody has linked one: with the included service, that of an account made here. */
export async function settlePayer(
  { settings, ask, words }: StepContext,
  wished: Payer | undefined,
): Promise<void> {
  const { payer } = words;
  if (settings.get('IMAGE_API_KEY') !== undefined) return ask.right(payer.isSet);
  if (settings.get('IMAGE_API_URL') !== undefined) return;
  ask.topic(payer.topic);
  let choice = wished ?? (ask.isAttended ? undefined : 'bot');
  while (true) {
    choice ??= await askPayer(ask, words);
    if (choice === 'members') return;
    try {
      const key = await ask.during(payer.making, () => keyOfAccount(settings));
      await settings.save({ IMAGE_API_KEY: key });
      return ask.right(payer.made(ACCOUNT.name, ACCOUNT.credits));
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const problem = payer.notMade(machineProblem(error, words));
      if (!ask.isAttended) throw new OperatorError(problem, { cause: error });
      ask.wrong(problem);
      choice = undefined;
    }
  }
}

/** Whether `IMAGE_API_KEY` is of the account that was made here: only the service of this machine knows that. */
export async function isKeyOfAccount(settings: Settings): Promise<boolean> {
  const key = settings.get('IMAGE_API_KEY');
  if (key === undefined || settings.get('IMAGE_API_URL') !== undefined) return false;
  const path = sqlitePath(loadConfig(await withSecret(settings)).SERVICE_DATABASE_URL);
  if (path === undefined || !existsSync(path)) return false;
  return inService(settings, async ({ accounts, keys }) => {
    const account = await accounts.find(ACCOUNT.name);
    return account !== undefined && keys.had(account.id, key);
  });
}

/** The key is made anew where the account is there already. */
const keyOfAccount = (settings: Settings): Promise<string> =>
  inService(settings, async ({ accounts, keys }) => {
    const { toMilli } = await import('@darkroom/image-service');
    const start = { amount: toMilli(ACCOUNT.credits), note: 'to start with' };
    const { id } = (await accounts.find(ACCOUNT.name)) ?? (await accounts.add(ACCOUNT.name, start));
    return keys.generate(id);
  });

/** What `work` does with the included service of this machine, which is open for it alone. */
async function inService<Result>(
  settings: Settings,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const { openService } = await import('@darkroom/image-service');
  const config = loadConfig({ ...(await settings.all()), SERVICE_HOST: '127.0.0.1', SERVICE_PORT: '0' });
  // It says at once what is away, and waits for nothing.
  const { service } = await openService(config, { log: silentLog(), signal: AbortSignal.abort() });
  return whileOpen(service, work);
}
