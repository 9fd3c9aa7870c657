import { readdir, readFile } from 'node:fs/promises';
import type { Vault } from '@darkroom/storage';
import { HOUR_MS, systemClock } from '@darkroom/time';
import { createKeys } from '../../src/accounts/keys.ts';
import type { ServiceDatabase } from '../../src/database/database.ts';
import { fileOfUpload } from '../../src/inputs/uploads.ts';
import { toCredits } from '../../src/ledger/credits.ts';
import { checkLedger } from '../../src/ledger/ledger-check.ts';
import { sealedRows } from '../../src/vault/sealed-rows.ts';
import { type Accepted, PICTURES } from './callers.ts';
import type { Drawn } from './protocol.ts';

/** A disruption that may have cost a task its run, in milliseconds since the epoch. */
export interface Loss {
  from: number;
  until: number;
}

/** How long after a disruption a run may still end because of it: a lease, and the time to notice. */
const AFTERMATH_MS = 10_000;

interface ChecksInput {
  db: ServiceDatabase;
  /** Of every process that runs. */
  urls: readonly string[];
  key: string;
  accountId: number;
  credits: number;
  accepted: readonly Accepted[];
  /** See `createCallers`. */
  refused: readonly string[];
  /** Where the pictures are. */
  folder: string;
  losses: readonly Loss[];
  record: string;
  vault: Vault;
  /** The tasks whose webhook was received. */
  told: ReadonlySet<string>;
}

/** What is wrong after a run, in sentences. */
export async function findViolations(input: ChecksInput): Promise<string[]> {
  const { db, accepted } = input;
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'state', 'error', 'errorCode', 'cost', 'charged'])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wrong = (await checkLedger(db)).map(({ rule, subject }) => `ledger: ${rule} (${subject})`);
  for (const { taskId, cancelled, ended } of accepted) {
    const task = byId.get(taskId);
    if (!task) wrong.push(`task ${taskId} was accepted and is not there`);
    else if (task.state !== 'completed' && task.state !== 'failed')
      wrong.push(`task ${taskId} has not ended`);
    else if (ended !== undefined && ended !== task.state)
      wrong.push(`task ${taskId} was ${ended} and is ${task.state} now`);
    else if (task.errorCode === 'cancelled' && !cancelled)
      wrong.push(`task ${taskId} is cancelled, and nobody has done that`);
  }
  if (rows.length !== accepted.length)
    wrong.push(`${accepted.length} tasks were accepted, and ${rows.length} are there`);
  const spent = rows.map(({ state, cost, charged }) => (state === 'completed' ? cost : (charged ?? 0)));
  const { balance } = await db
    .selectFrom('grants')
    .select((eb) => eb.fn.sum<number>('remaining').as('balance'))
    .where('accountId', '=', input.accountId)
    .executeTakeFirstOrThrow();
  const expected = input.credits - toCredits(spent.reduce((sum, each) => sum + each, 0));
  if (toCredits(balance) !== expected)
    wrong.push(`the balance is ${toCredits(balance)} credits and should be ${expected}`);
  for (const { id } of rows) if (!input.told.has(id)) wrong.push(`the end of task ${id} was told to nobody`);
  for await (const { called, state } of sealedRows(db, input.vault))
    if (state !== 'current') wrong.push(`of ${called}, one is sealed with a secret that is ${state}`);
  const shown = await createKeys({ db, vault: input.vault, clock: systemClock }).current(input.accountId, {
    reveal: true,
  });
  if (shown !== input.key) wrong.push('the key is shown as another one');
  const completed = rows.filter(({ state }) => state === 'completed').map(({ id }) => id);
  for (const { id, error } of rows)
    if (error?.includes('is gone')) wrong.push(`task ${id} has failed because its picture was gone`);
  wrong.push(...input.refused.map((refusal) => `refused: ${refusal}`));
  return [
    ...wrong,
    ...(await wrongUploads(input)),
    ...(await missingPictures(input, completed)),
    ...(await drawnTooOften(input)),
  ];
}

/**
 * Each picture that was brought is kept once; there is no file without a row, and no row that was written without a
 * file.
 */
async function wrongUploads({ db, folder }: ChecksInput): Promise<string[]> {
  const rows = await db.selectFrom('uploads').select(['id', 'sha256', 'writtenAt', 'expiresAt']).execute();
  const files = new Set(await readdir(folder));
  const used = rows.filter(
    ({ writtenAt, expiresAt }) => writtenAt !== null && expiresAt > Date.now() + HOUR_MS,
  );
  const ids = new Set(rows.map(({ id }) => id));
  const unknown = [...files].filter((file) => {
    const [, id] = /^upload-([0-9a-f]{32})\.png/.exec(file) ?? [];
    return id !== undefined && !ids.has(id);
  });
  const pictures = new Set(used.map(({ sha256 }) => sha256));
  return [
    ...unknown.map((file) => `${file} has no row`),
    ...used.flatMap(({ id }) => (files.has(fileOfUpload({ id })) ? [] : [`upload ${id} has no file`])),
    ...(used.length === pictures.size ? [] : [`${pictures.size} pictures are ${used.length} uploads`]),
    ...(pictures.size === 0 || pictures.size > PICTURES ? [`${pictures.size} pictures were brought`] : []),
  ];
}

/** Every picture can be fetched from every process. */
async function missingPictures({ urls, key }: ChecksInput, completed: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const taskId of completed) {
    for (const url of urls) {
      const headers = { 'x-api-key': key };
      const answer = await fetch(`${url}/v1/index.php?endpoint=task_status&task_id=${taskId}`, { headers });
      const { data } = JSON.parse(await answer.text());
      const picture = await fetch(data.result.image_url);
      const bytes = await picture.arrayBuffer();
      if (picture.status !== 200 || bytes.byteLength === 0)
        wrong.push(`the picture of task ${taskId} is answered with ${picture.status} by ${url}`);
    }
  }
  return wrong;
}

/**
 * A task is drawn once, and once more for each disruption that may have cost a run of it, and each lease that a process
 * saw end: on a slow machine with nothing to blame, or in the aftermath of what has cost another run already.
 */
async function drawnTooOften({ record, losses }: ChecksInput): Promise<string[]> {
  const lines = (await readFile(record, 'utf8')).trim().split('\n');
  const byTask = new Map<string, Drawn[]>();
  for (const line of lines) {
    const drawn: Drawn = JSON.parse(line);
    byTask.set(drawn.taskId, [...(byTask.get(drawn.taskId) ?? []), drawn]);
  }
  return [...byTask].flatMap(([taskId, drawn]) => {
    const begun = drawn.filter(({ what }) => what === 'begun').map(({ at }) => at);
    const [first, last] = [Math.min(...begun), Math.max(...begun)];
    const disrupted = losses.filter(
      ({ from, until }) => from <= last && first <= until + AFTERMATH_MS,
    ).length;
    const allowed = 1 + disrupted + drawn.filter(({ what }) => what === 'lost').length;
    return begun.length <= allowed
      ? []
      : [`task ${taskId} was drawn ${begun.length} times, and ${allowed} at most are explained`];
  });
}
