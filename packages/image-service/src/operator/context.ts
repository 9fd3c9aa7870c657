import { type Confirm, OperatorError, ownCommand } from '@darkroom/process';
import { type Clock, MINUTE_MS } from '@darkroom/time';
import { createAccountDeletion } from '../accounts/account-deletion.ts';
import { createAccounts } from '../accounts/accounts.ts';
import type { Account } from '../accounts/key-holders.ts';
import { createKeys } from '../accounts/keys.ts';
import { loadServiceConfig, type ServiceConfig } from '../config.ts';
import { databaseName, onDatabase, openDatabase, type ServiceDatabase } from '../database/database.ts';
import { createDatabaseClock } from '../database/database-clock.ts';
import { boundPlace } from '../files/bounded-place.ts';
import { createFiles } from '../files/files.ts';
import { openPlace } from '../files/open-place.ts';
import { provePlace } from '../files/place-proof.ts';
import { createUploads } from '../inputs/uploads.ts';
import { createAllowances } from '../ledger/allowances.ts';
import { createExpenses } from '../ledger/expenses.ts';
import { createLedger } from '../ledger/ledger.ts';
import { checkLedger } from '../ledger/ledger-check.ts';
import { SERVICE_LIMITS } from '../limits.ts';
import { openStorage, type Storage } from '../storage.ts';
import { createTaskDeletion } from '../tasks/task-deletion.ts';
import { createTasks } from '../tasks/tasks.ts';
import { proveDatabase } from '../vault/database-proof.ts';
import { sealedRows } from '../vault/sealed-rows.ts';
import { createSigningSecrets } from '../webhooks/signing-secrets.ts';
import { findWebhooks } from '../webhooks/webhook-queue.ts';
import { refuseMissing } from './refuse-missing.ts';
import type { CommandResult } from './table.ts';
import type { VaultContext } from './vault-commands.ts';

/** An operator waits for longer than a caller: a check reads the whole ledger. */
const COMMAND_TIMEOUT_MS = 30 * MINUTE_MS;

/** What an operator's command works on. */
type OperatorContext = ReturnType<typeof contextOf>;

function contextOf({ db, vault, pictures, databaseUrl }: Opened, clock: Clock, confirm: Confirm) {
  const accounts = createAccounts({ db, clock });
  const ledger = createLedger({ db, clock });
  const tasks = createTasks({ db, ledger, clock, limits: SERVICE_LIMITS });

  /** Opens the place for pictures only for this: it may be a bucket, and has to be the right one. */
  async function withPlace<Result>(
    work: (parts: Parameters<typeof createAccountDeletion>[0]) => Promise<Result>,
  ): Promise<Result> {
    const opened = await openPlace(pictures);
    try {
      await provePlace(db, opened);
      const place = boundPlace(opened);
      const files = createFiles({ db, place, clock });
      const uploads = createUploads({ db, place, clock, limits: SERVICE_LIMITS });
      return await work({ db, tasks, files, uploads, clock });
    } finally {
      opened.close();
    }
  }

  const deleteAccount: ReturnType<typeof createAccountDeletion> = (...given) =>
    withPlace((parts) => createAccountDeletion(parts)(...given));

  const deleteTask: ReturnType<typeof createTaskDeletion>['deleteOne'] = (...given) =>
    withPlace((parts) => createTaskDeletion(parts).deleteOne(...given));

  return {
    accounts,
    keys: createKeys({ db, vault, clock }),
    ledger,
    tasks,
    allowances: createAllowances({ db, clock }),
    signingSecrets: createSigningSecrets({ db, vault, clock }),
    webhooksOf: (accountId: number, limit: number) => findWebhooks(db, accountId, limit),
    expenses: createExpenses({ db, clock }),
    clock,
    /** Where accounts and their tokens are valid. */
    database: databaseName(databaseUrl),
    deleteAccount,
    deleteTask,
    confirm,
    checkLedger: () => checkLedger(db),

    /** The account of that name; throws where there is none. */
    async account(username: string): Promise<Account> {
      const found = await accounts.find(username);
      if (!found)
        throw new OperatorError(
          `There is no account named ${username}. ${ownCommand('service', 'account list')} names all.`,
        );
      return found;
    },
  };
}

/** Runs the action of a command and prints its result. */
export type RunAction = (
  action: (context: OperatorContext) => Promise<CommandResult>,
  options?: { creates: boolean },
) => Promise<void>;

/** The same for an action that finds nothing open. */
export type RunClosed = (action: (config: ServiceConfig) => Promise<CommandResult>) => Promise<void>;

interface Terminal {
  env: NodeJS.ProcessEnv;
  confirm: Confirm;
}

/** A service's data, with its database open. */
type Opened = Storage & { db: ServiceDatabase };

/**
 * Opens the database of the service that `env` configures, until `work` is done. The service may be running. Only who
 * `creates` makes one where there is none: a mistyped path would look like a service without accounts.
 */
async function withDatabase<Result>(
  env: NodeJS.ProcessEnv,
  { creates = false, takesNewSecret = false }: { creates?: boolean; takesNewSecret?: boolean },
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const config = loadServiceConfig(env);
  if (!creates) refuseMissing(config.SERVICE_DATABASE_URL);
  const storage = await openStorage(config, { takesNewSecret });
  const db = await openDatabase(storage.databaseUrl, { statementTimeoutMs: COMMAND_TIMEOUT_MS });
  try {
    return await onDatabase(storage.databaseUrl, () => work({ db, ...storage }));
  } finally {
    await db.destroy();
  }
}

/** Opens what commands work on that look after the secret, whichever is set. */
export const withVaultContext = <Result>(
  env: NodeJS.ProcessEnv,
  action: (context: VaultContext) => Promise<Result>,
  options: { takesNewSecret?: boolean } = {},
): Promise<Result> =>
  withDatabase(env, options, ({ db, vault }) => action({ sealedRows: () => sealedRows(db, vault) }));

/** Opens what all other commands work on. Rejects where the secret is not that of the database. */
export const withOperatorContext = <Result>(
  { env, confirm }: Terminal,
  action: (context: OperatorContext) => Promise<Result>,
  { creates }: { creates: boolean },
): Promise<Result> =>
  withDatabase(env, { creates }, async (opened) => {
    await proveDatabase(opened.db, opened.vault);
    const { clock, close } = await createDatabaseClock(opened.db);
    try {
      return await action(contextOf(opened, clock, confirm));
    } finally {
      await close();
    }
  });
