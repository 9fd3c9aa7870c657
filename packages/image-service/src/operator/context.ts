import { OperatorError } from '@darkroom/process';
import { systemClock } from '@darkroom/time';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import type { Account } from '../accounts/key-holders.ts';
import { createKeys, type Keys } from '../accounts/keys.ts';
import { loadServiceConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { checkLedger, type Violation } from '../ledger/ledger-check.ts';
import { openStorage } from '../storage.ts';
import type { Row } from './table.ts';

/** What an operator's command works on. */
export interface OperatorContext {
  accounts: Accounts;
  keys: Keys;
  ledger: Ledger;
  checkLedger(): Promise<Violation[]>;
  /** The account of that name; throws where there is none. */
  account(username: string): Promise<Account>;
}

/** The rows that a command prints; as `wrong` where it has found an error, and exits with 1. */
export type CommandResult = readonly Row[] | { wrong: readonly Row[] };

/** Runs the action of a command and prints its result. */
export type RunAction = (action: (context: OperatorContext) => Promise<CommandResult>) => Promise<void>;

/** Opens the database of the service that `env` configures, until `action` is done. The service may be running. */
export async function withOperatorContext<Result>(
  env: NodeJS.ProcessEnv,
  action: (context: OperatorContext) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, vault } = await openStorage(loadServiceConfig(env));
  const db = await openDatabase(databaseUrl);
  const clock = systemClock;
  const accounts = createAccounts({ db, clock });
  try {
    return await action({
      accounts,
      keys: createKeys({ db, vault, clock }),
      ledger: createLedger({ db, clock }),
      checkLedger: () => checkLedger(db),
      async account(username) {
        const found = await accounts.find(username);
        if (!found) throw new OperatorError(`There is no account named ${username}.`);
        return found;
      },
    });
  } finally {
    await db.destroy();
  }
}
