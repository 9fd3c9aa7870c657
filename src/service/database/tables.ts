import type { Generated } from 'kysely';

/** A moment: milliseconds since the epoch. */
type Moment = number;
/** An amount of credits in thousandths, always an integer. */
type MilliCredits = number;

export interface AccountTable {
  id: Generated<number>;
  username: string;
  createdAt: Moment;
  disabledAt: Moment | null;
}

/** Login tokens; only the SHA-256 of one is kept. */
export interface LoginTokenTable {
  hash: string;
  accountId: number;
  createdAt: Moment;
}

export interface KeyTable {
  id: Generated<number>;
  accountId: number;
  /** SHA-256 of the key, for look-up. */
  hash: string;
  /** The key itself, sealed by the vault. */
  sealed: string;
  /** Its last four characters, for display. */
  tail: string;
  createdAt: Moment;
  lastUsedAt: Moment | null;
  revokedAt: Moment | null;
  /** Limits of this key where they differ from the service's. */
  maxRunning: number | null;
  maxWaiting: number | null;
  maxPerMinute: number | null;
}

/** Credits given, permanently or until a moment. */
export interface GrantTable {
  id: Generated<number>;
  accountId: number;
  createdAt: Moment;
  expiresAt: Moment | null;
  note: string;
  /** What is left: always the sum of the grant's entries. */
  remaining: MilliCredits;
}

export type EntryKind = 'grant' | 'reserve' | 'capture' | 'release' | 'expire' | 'revoke';

/** The ledger: rows are added, never changed. At most one per task, kind and grant. */
export interface EntryTable {
  id: Generated<number>;
  accountId: number;
  grantId: number;
  taskId: string | null;
  kind: EntryKind;
  /** By how much the entry changes the balance. A capture changes nothing: what was reserved is spent. */
  amount: MilliCredits;
  createdAt: Moment;
}

export interface TaskTable {
  id: string;
  accountId: number;
  keyId: number;
  state: 'pending' | 'processing' | 'completed' | 'failed';
  workflow: string;
  /** As in the drawing, `UNKNOWN_SEED` included. */
  seed: number;
  cost: MilliCredits;
  /** Place in the queue, see `tasks.ts`. */
  turn: number;
  progress: number;
  /** How long the drawing was expected to take when it was submitted. */
  expectedMs: number | null;
  createdAt: Moment;
  startedAt: Moment | null;
  finishedAt: Moment | null;
  /** When the task fails unless it is finished. */
  deadlineAt: Moment;
  attempts: number;
  /** Which process draws it, and until when that holds. */
  leaseOwner: string | null;
  leaseUntil: Moment | null;
  /** Names in the files folder. */
  picture: string | null;
  preview: string | null;
  error: string | null;
  errorCode: string | null;
  /** See `stored-drawing.ts`. */
  drawing: string;
}

/** Files there may be in the files folder: a row is there before its file, and says when the file was removed. */
export interface FileTable {
  name: string;
  taskId: string;
  /** A preview is written anew as its picture develops. */
  kind: 'picture' | 'preview';
  contentType: string;
  createdAt: Moment;
  expiresAt: Moment;
  removedAt: Moment | null;
}

/** Accepted submissions with an idempotency key, so that one that is repeated gets the same answer. */
export interface ReplayTable {
  accountId: number;
  idempotencyKey: string;
  /** SHA-256 of the submission. */
  digest: string;
  /** What was answered, as JSON. */
  answer: string;
  createdAt: Moment;
}

/** One row, which counts changes of whose keys are and of what they may do. */
export interface KeyHoldersTable {
  version: number;
}

export interface Tables {
  accounts: AccountTable;
  loginTokens: LoginTokenTable;
  keys: KeyTable;
  keyHolders: KeyHoldersTable;
  grants: GrantTable;
  entries: EntryTable;
  tasks: TaskTable;
  files: FileTable;
  replays: ReplayTable;
}
