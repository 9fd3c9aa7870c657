import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createVault, type VaultKeys } from '@darkroom/storage';
import { createStreams, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { createKeys } from '../../src/accounts/keys.ts';
import { openDatabase, type ServiceDatabase } from '../../src/database/database.ts';
import { toMilli } from '../../src/ledger/credits.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { createPostgresDatabase, createTestStorage } from '../support/storage.ts';
import { createCallers } from './callers.ts';
import { findViolations, type Loss } from './checks.ts';
import { type Disruption, drawDisruptions } from './disruptions.ts';
import { createOperator } from './operator.ts';
import { SECRETS, trueTime } from './protocol.ts';
import { createReceiver } from './receiver.ts';
import { createSlot } from './slot.ts';

const PROCESSES = 2;
const CALLERS = 4;
const CREDITS = 1_000_000;
/** Disruptions that cost no run: whatever else happens, a leap and a full disk have no task drawn again. */
const HARMLESS: readonly Disruption['kind'][] = ['leap', 'full disk'];

interface ChaosOptions {
  seed: number;
  disruptions: number;
  /** A PostgreSQL server on which a database can be created. */
  postgresUrl: string;
  /** Called with a line about how far the run is. */
  report(line: string): void;
}

/** Disrupts a service of two processes under load; resolves with what went wrong and how many tasks there were. */
export async function runChaos({ seed, disruptions, postgresUrl, report }: ChaosOptions) {
  const streams = createStreams(seed);
  const database = await createPostgresDatabase(postgresUrl);
  const storage = await createTestStorage(database);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-chaos-'));
  const [record, log] = [join(folder, 'drawn.jsonl'), join(folder, 'service.log')];
  await writeFile(record, '');
  const db = await openDatabase(storage.databaseUrl);
  const account = await openAccount(db);
  const receiver = await createReceiver();
  const operator = createOperator({
    ...{ db, accountId: account.id, key: account.key },
    random: streams('operator'),
  });
  const [before, after] = SECRETS;
  let secretKeys: VaultKeys = [before];
  const given = {
    databaseUrl: storage.databaseUrl,
    folder: join(folder, 'pictures'),
    ...{ record, log, webhookOrigin: receiver.origin, secretKeys: () => secretKeys },
  };
  const slots = await Promise.all(Array.from({ length: PROCESSES }, () => createSlot(given)));
  const urls = () => slots.flatMap((slot) => slot.url() ?? []);
  const callers = createCallers({
    urls,
    key: account.key,
    webhook: receiver.origin,
    random: streams('callers'),
  });
  const losses: Loss[] = [];

  async function disruptInTurn(): Promise<void> {
    const plan = drawDisruptions(streams('disruptions'), disruptions, PROCESSES);
    for (const [index, { disruption, process, afterMs }] of plan.entries()) {
      await delay(afterMs);
      const from = trueTime();
      if (index === Math.floor(plan.length / 2)) await rotateSecret();
      await Promise.all([slots[process]?.disrupt(disruption), operator.act(secretKeys)]);
      if (index === Math.floor(plan.length / 2)) losses.push({ from, until: trueTime() });
      if (!HARMLESS.includes(disruption.kind)) losses.push({ from, until: trueTime() });
      report(`${index + 1} of ${disruptions}: ${disruption.kind}, ${callers.accepted.length} tasks so far`);
    }
  }

  /** As an operator is told to: the new one before the old one, everything sealed anew, the new one alone. */
  async function rotateSecret(): Promise<void> {
    secretKeys = [after, before];
    for (const slot of slots) await slot.disrupt({ kind: 'stop' });
    await operator.reseal(secretKeys);
    secretKeys = [after];
    for (const slot of slots) await slot.disrupt({ kind: 'stop' });
  }

  let keep = true;
  try {
    await Promise.all(slots.map((slot) => slot.start()));
    const calling = callers.run(CALLERS);
    await disruptInTurn();
    callers.stop();
    await calling;
    await until(async () => (await unfinished(db)) === 0, 'the end of every task');
    await until(async () => (await webhooksDue(db)) === 0, 'the end of every webhook');
    const { accepted, refused } = callers;
    const violations = await findViolations({
      ...{ db, urls: urls(), key: account.key, accountId: account.id },
      ...{ credits: CREDITS + operator.granted(), vault: createVault(secretKeys), told: receiver.told },
      ...{ accepted, refused, losses, record, folder: given.folder },
    });
    keep = violations.length > 0;
    return { violations, tasks: accepted.length, completed: await countOf(db, 'completed') };
  } finally {
    callers.stop();
    receiver.close();
    await Promise.all(slots.map((slot) => slot.close()));
    await db.destroy();
    await storage.remove();
    await database.remove();
    if (keep) report(`the files of the run: ${folder}`);
    else await rm(folder, { recursive: true });
  }
}

async function openAccount(db: ServiceDatabase) {
  const clock = systemClock;
  const { id } = await createAccounts({ db, clock }).add(`chaos-${randomBytes(4).toString('hex')}`);
  await createLedger({ db, clock }).grant({ accountId: id, amount: toMilli(CREDITS) });
  return { id, key: await createKeys({ db, vault: createVault([SECRETS[0]]), clock }).generate(id) };
}

const countOf = async (db: ServiceDatabase, ...states: ('pending' | 'processing' | 'completed')[]) => {
  const { count } = await db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', states)
    .executeTakeFirstOrThrow();
  return count;
};

async function webhooksDue(db: ServiceDatabase): Promise<number> {
  const due = await db.selectFrom('webhooks').select('taskId').where('dueAt', 'is not', null).execute();
  return due.length;
}

const unfinished = (db: ServiceDatabase) => countOf(db, 'pending', 'processing');
