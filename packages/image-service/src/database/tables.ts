import type { Generated } from 'kysely';

/** Milliseconds since the epoch. */
type Timestamp = number;
/** An amount of credits in thousandths, always an integer. */
type MilliCredits = number;

export interface AccountTable {
  id: Generated<number>;
  username: string;
  createdAt: Timestamp;
  disabledAt: Timestamp | null;
}

/** Login tokens; only the SHA-256 of one is kept. */
interface LoginTokenTable {
  hash: string;
  accountId: number;
  createdAt: Timestamp;
  /** Null: never. */
  expiresAt: Timestamp | null;
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
  createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
  revokedAt: Timestamp | null;
  /** That it was made under, where it was under one. */
  idempotencyKey: string | null;
  /** Limits of this key where they differ from the service's. */
  maxRunning: number | null;
  maxWaiting: number | null;
  maxPerMinute: number | null;
}

/** Credits given, permanently or until they expire. */
interface GrantTable {
  id: Generated<number>;
  accountId: number;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  note: string;
  /** What is left: always the sum of the grant's entries. */
  remaining: MilliCredits;
  /** The operator's id of a grant that is given once, however often it is asked for. */
  once: Generated<string | null>;
  allowanceId: Generated<number | null>;
}

type EntryKind = 'grant' | 'reserve' | 'capture' | 'release' | 'expire' | 'revoke';

/** The ledger is append-only. At most one entry per task, kind and grant. */
export interface EntryTable {
  id: Generated<number>;
  accountId: number;
  grantId: number;
  taskId: string | null;
  kind: EntryKind;
  /** By how much the entry changes the balance. A capture changes nothing: what was reserved is spent. */
  amount: MilliCredits;
  createdAt: Timestamp;
}

export interface TaskTable {
  id: string;
  accountId: number;
  keyId: number;
  state: 'pending' | 'processing' | 'completed' | 'failed';
  workflow: string;
  /** In whose slots it is drawn: its engine's, or this machine's. */
  lane: 'engine' | 'cpu';
  /** As in the drawing, `UNKNOWN_SEED` included. */
  seed: number;
  cost: MilliCredits;
  /** Of that, what it cost where it was cancelled, or was a graph that failed; null in any other state. */
  charged: MilliCredits | null;
  /** Decides the position in the queue, see `tasks.ts`. */
  turn: number;
  progress: number;
  /**
   * Its place among all that waits for the machines that draw it, and when those expect to be done, where they tell.
   */
  position: number | null;
  endsAt: Timestamp | null;
  /** The estimate when it was submitted, in milliseconds. */
  expectedMs: number | null;
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  finishedAt: Timestamp | null;
  /** When the task fails unless it is finished. */
  deadlineAt: Timestamp;
  /** Runs that were begun and not given back. */
  attempts: number;
  /** Its last run, which may end it until another one begins; and until when the run's process holds it. */
  leaseOwner: string | null;
  leaseUntil: Timestamp | null;
  /** Names in the place for pictures. */
  picture: string | null;
  /** What the picture does not show, as a JSON list; null where there is nothing to tell. */
  notDrawn: string | null;
  preview: string | null;
  /** What an engine is told again of the task's drawing, see `DrawOptions.remember`. */
  remembered: string | null;
  error: string | null;
  errorCode: string | null;
  /** The caller's own word for it. */
  reference: string | null;
  /** See `stored-drawing.ts`. */
  drawing: string;
}

/**
 * Files in the place for pictures. A row is inserted before its file is written, and stays when the file is removed.
 */
export interface FileTable {
  name: string;
  taskId: string;
  /** A preview is replaced while its picture is drawn. */
  kind: 'picture' | 'preview';
  contentType: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  removedAt: Timestamp | null;
}

/** Pictures that accounts bring. A row is inserted before its file is written. */
export interface UploadTable {
  id: string;
  accountId: number;
  /** Of the bytes that were brought. */
  sha256: string;
  /** As it is kept, in pixels. */
  width: number;
  height: number;
  /** As it is kept. */
  bytes: number;
  /** How often it was brought or named. */
  uses: number;
  createdAt: Timestamp;
  /** Null until its file is there. */
  writtenAt: Timestamp | null;
  /** Moved on by every use. */
  expiresAt: Timestamp;
}

/** Idempotency records: the answers to accepted submissions with an idempotency key. */
export interface IdempotencyTable {
  accountId: number;
  idempotencyKey: string;
  /** SHA-256 of the submission. */
  digest: string;
  /** As JSON. */
  answer: string;
  createdAt: Timestamp;
}

/** How many submissions were accepted in the present window of a limit. */
export interface SubmissionRateTable {
  accountId: number;
  /** The key whose own limit it is; 0 for that of the account. */
  keyId: number;
  /** When the window began. */
  startedAt: Timestamp;
  used: number;
}

/** One row: a version number that every change of a key or an account increments. */
interface KeyHoldersTable {
  version: number;
}

/** One row: what the processes on a database have to agree on. */
interface InstallationTable {
  /** The file in the place for pictures that shows that it is theirs, see `place-proof.ts`. */
  picturesProof: string | null;
  /** By which the secret of the vault is known, see `database-proof.ts`. */
  vaultProof: string | null;
}

/** Credits that an account gets again in every period, up to a cap. */
export interface AllowanceTable {
  id: Generated<number>;
  accountId: number;
  /** For each period, more than 0. */
  amount: MilliCredits;
  /** The most that may be left of all that it gave. */
  cap: MilliCredits;
  /** An hour or a day. */
  periodMs: number;
  /** The last one that was given for: periods since the epoch. */
  period: number;
  note: string;
  createdAt: Timestamp;
  endedAt: Timestamp | null;
}

/** What an account had drawn, by the day on which it ended. */
interface UsageTable {
  accountId: number;
  /** Days since the epoch, in UTC. */
  day: number;
  completed: number;
  failed: number;
  /** What was spent. */
  cost: MilliCredits;
}

interface ExpenseTable {
  /** A month or a day of UTC: `2030-12`, `2030-12-31`. */
  period: string;
  /** See `Expense`. */
  unit: string;
  /** In millionths. */
  amount: number;
}

/** Secrets that webhooks are signed with, sealed by the vault. */
interface WebhookSecretTable {
  accountId: number;
  sealed: string;
  createdAt: Timestamp;
  /** Those before, with which webhooks are signed as well for a while: see `previousSecrets`. */
  previous: string | null;
}

/** Webhooks by the task whose end they tell. */
export interface WebhookTable {
  taskId: string;
  accountId: number;
  /** Sealed by the vault, as it may hold a secret. */
  sealedUrl: string;
  /** The same for all webhooks of an account to one origin, and to some others of its origins. */
  receiver: string;
  /** When it may be sent next; null before its task has ended, and once it is over. */
  dueAt: Timestamp | null;
  /** How often it was sent. Identifies an attempt together with the task. */
  attempts: number;
  /** As JSON, see `webhookStatus` of the contract. */
  status: string;
}

export interface Tables {
  accounts: AccountTable;
  loginTokens: LoginTokenTable;
  keys: KeyTable;
  keyHolders: KeyHoldersTable;
  installation: InstallationTable;
  grants: GrantTable;
  entries: EntryTable;
  tasks: TaskTable;
  files: FileTable;
  uploads: UploadTable;
  /** Idempotency records. */
  replays: IdempotencyTable;
  submissionRates: SubmissionRateTable;
  allowances: AllowanceTable;
  usage: UsageTable;
  expenses: ExpenseTable;
  webhooks: WebhookTable;
  webhookSecrets: WebhookSecretTable;
}
