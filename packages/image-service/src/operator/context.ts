import { OperatorError } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { createAccountDeletion } from '../accounts/account-deletion.ts';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import type { Account } from '../accounts/key-holders.ts';
import { createKeys, type Keys } from '../accounts/keys.ts';
import { loadServiceConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { createDatabaseClock } from '../database/database-clock.ts';
import { boundPlace } from '../files/bounded-place.ts';
import { createFiles } from '../files/files.ts';
import { openPlace } from '../files/open-place.ts';
import { provePlace } from '../files/place-proof.ts';
import { findEntries } from '../ledger/account-entries.ts';
import { type Allowances, createAllowances } from '../ledger/allowances.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { checkLedger, type Violation } from '../ledger/ledger-check.ts';
import { findUsage } from '../ledger/usage.ts';
import { SERVICE_LIMITS } from '../limits.ts';
import { openStorage, type placesOf } from '../storage.ts';
import { createTasks, type Tasks } from '../tasks/tasks.ts';
import { findWebhooks } from '../webhooks/account-webhooks.ts';
import { createSigningSecrets, type SigningSecrets } from '../webhooks/signing-secrets.ts';
import type { Confirm } from './confirm.ts';
import type { Row } from './table.ts';

/** What an operator's command works on. */
export interface OperatorContext {
  accounts: Accounts;
  keys: Keys;
  ledger: Ledger;
  tasks: Tasks;
  /** See `findEntries`. */
  entries(
    accountId: number,
    which: { taskId?: string | undefined; limit: number },
  ): ReturnType<typeof findEntries>;
  allowances: Allowances;
  signingSecrets: SigningSecrets;
  /** See `findWebhooks`. */
  webhooksOf(accountId: number, limit: number): ReturnType<typeof findWebhooks>;
  /** See `findUsage`. */
  usageOf(which: Parameters<typeof findUsage>[1]): ReturnType<typeof findUsage>;
  clock: Clock;
  deleteAccount: ReturnType<typeof createAccountDeletion>;
  confirm: Confirm;
  checkLedger(): Promise<Violation[]>;
  /** The account of that name; throws where there is none. */
  account(username: string): Promise<Account>;
}

/** The rows that a command prints; as `wrong` where it has found an error, and exits with 1. */
export type CommandResult = readonly Row[] | { wrong: readonly Row[] };

/** Runs the action of a command and prints its result. */
export type RunAction = (action: (context: OperatorContext) => Promise<CommandResult>) => Promise<void>;

/** The same for an action that finds nothing open. */
export type RunClosed = (
  action: (places: ReturnType<typeof placesOf>) => Promise<CommandResult>,
) => Promise<void>;

/** Opens the database of the service that `env` configures, until `action` is done. The service may be running. */
export async function withOperatorContext<Result>(
  { env, confirm }: { env: NodeJS.ProcessEnv; confirm: Confirm },
  action: (context: OperatorContext) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, pictures, vault } = await openStorage(loadServiceConfig(env));
  const db = await openDatabase(databaseUrl);
  const { clock, close: closeClock } = await createDatabaseClock(db);
  const accounts = createAccounts({ db, clock });
  const ledger = createLedger({ db, clock });
  const tasks = createTasks({ db, ledger, clock, limits: SERVICE_LIMITS });

  /** Opens the place for pictures only for this: it may be a bucket, and has to be the right one. */
  const deleteAccount: OperatorContext['deleteAccount'] = async (...given) => {
    const place = await openPlace(pictures);
    try {
      await provePlace(db, place);
      const files = createFiles({ db, place: boundPlace(place), clock });
      return await createAccountDeletion({ db, tasks, files, clock })(...given);
    } finally {
      place.close();
    }
  };
  try {
    return await action({
      accounts,
      keys: createKeys({ db, vault, clock }),
      ledger,
      tasks,
      entries: (accountId, which) => findEntries(db, accountId, which),
      allowances: createAllowances({ db, clock }),
      signingSecrets: createSigningSecrets({ db, vault, clock }),
      webhooksOf: (accountId, limit) => findWebhooks(db, accountId, limit),
      usageOf: (which) => findUsage(db, which),
      clock,
      deleteAccount,
      confirm,
      checkLedger: () => checkLedger(db),
      async account(username) {
        const found = await accounts.find(username);
        if (!found) throw new OperatorError(`There is no account named ${username}.`);
        return found;
      },
    });
  } finally {
    await closeClock();
    await db.destroy();
  }
}
