import { hash } from 'node:crypto';
import type { Submission } from '@darkroom/image-api';
import type { Selectable } from 'kysely';
import { ApiError } from '../api-error.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { IdempotencyTable } from '../database/tables.ts';
import { withRows } from '../database/with-rows.ts';

export type IdempotentSubmission = Pick<IdempotencyRecord, 'accountId' | 'idempotencyKey' | 'digest'>;

/** Submissions and their answers, as JSON: a repeated one gets the same answer and no new task. */
type IdempotencyRecord = Selectable<IdempotencyTable>;

/** What was answered under the keys of submissions. */
export const findRecords = withRows(
  { accountId: true, idempotencyKey: true },
  (db, keys: Pick<IdempotencyRecord, 'accountId' | 'idempotencyKey'>[]) =>
    db
      .selectFrom('replays')
      .select(['accountId', 'idempotencyKey', 'digest', 'answer'])
      .where((eb) => eb.or(keys.map((key) => eb.and(key)))),
);

export const saveRecords = withRows(
  { accountId: true, idempotencyKey: true, digest: true, answer: true, createdAt: true },
  (db, records: IdempotencyRecord[]) => db.insertInto('replays').values(records),
);

/** Refuses a submission under the key of a different one. */
export function requireSame(
  submission: IdempotentSubmission,
  record: Pick<IdempotencyRecord, 'digest'>,
): void {
  if (submission.digest === record.digest) return;
  throw new ApiError(
    'idempotency_conflict',
    'A different submission was made with this Idempotency-Key. A new submission needs a new one.',
  );
}

/** Of a parsed submission, whatever the order of its keys. */
export const digestOf = (submission: Submission): string => hash('sha256', canonicalJson(submission));
