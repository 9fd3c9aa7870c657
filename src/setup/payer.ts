import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError, ownCommand, silentLog } from '@darkroom/process';
import { sqlitePath } from '@darkroom/storage';
import { loadConfig } from '../config.ts';
import type { Words } from '../operator/words/words.ts';
import { type Ask, Stopped } from './ask.ts';
import { machineProblem } from './machine-problem.ts';
import type { Settings } from './settings.ts';
import type { StepContext } from './step.ts';

/** The account of the included service that pays for everybody, and the credits that it begins with. */
const ACCOUNT = { name: 'discord', credits: 10_000 };

/** All settings, with a secret where none is made yet: PostgreSQL is not taken without one. */
export const withSecret = (settings: Settings): Record<string, string> => ({
  ...settings.all(),
  SECRET_KEY: settings.get('SECRET_KEY') ?? '0'.repeat(64),
});

/** Makes `SECRET_KEY`, unless there is one, or one that a start without it has made beside the database. */
export async function settleSecret({ settings, ask, words }: StepContext): Promise<void> {
  if (settings.get('SECRET_KEY') !== undefined) return;
  const { STORE_URL, SERVICE_DATABASE_URL } = loadConfig(withSecret(settings));
  for (const url of [STORE_URL, SERVICE_DATABASE_URL]) {
    const path = sqlitePath(url);
    if (path !== undefined && existsSync(join(dirname(path), 'secret.key'))) return;
  }
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
      const key = await ask.during(payer.making, () => keyOfAccount(settings.all()));
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

/** The key is made anew where the account is there already. */
async function keyOfAccount(settings: Readonly<Record<string, string>>): Promise<string> {
  const { openService, toMilli } = await import('@darkroom/image-service');
  const config = loadConfig({ ...settings, SERVICE_HOST: '127.0.0.1', SERVICE_PORT: '0' });
  const { service } = await openService(config, { log: silentLog() });
  try {
    const existing = await service.accounts.find(ACCOUNT.name);
    const { id } = existing ?? (await service.accounts.add(ACCOUNT.name));
    if (!existing) {
      const amount = toMilli(ACCOUNT.credits);
      await service.ledger.grant({ accountId: id, amount, note: 'to start with' });
    }
    return await service.keys.generate(id);
  } finally {
    await service.close();
  }
}
