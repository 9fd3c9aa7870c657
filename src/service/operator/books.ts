import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config.ts';
import { UserError } from '../../errors.ts';
import { type Account, type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createKeys, type Keys } from '../accounts/keys.ts';
import { openDatabase } from '../database/database.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { checkLedger, type Violation } from '../ledger/ledger-check.ts';
import { openStorage } from '../storage.ts';
import type { Row } from './table.ts';

/** What an operator's command works on. */
export interface Books {
  accounts: Accounts;
  keys: Keys;
  ledger: Ledger;
  check(): Promise<Violation[]>;
  /** The account of that name; throws where there is none. */
  account(username: string): Promise<Account>;
}

/** What a command prints; `wrong` where it found out that something is. */
export type Findings = readonly Row[] | { wrong: readonly Row[] };

/** How a command gets at the books; what it finds there is printed. */
export type Run = (work: (books: Books) => Promise<Findings>) => Promise<void>;

/** Opens the books of the service that `env` configures, for as long as `work` takes. The service may be running. */
export async function withBooks<Result>(
  env: NodeJS.ProcessEnv,
  work: (books: Books) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, vault } = await openStorage(loadConfig(env));
  const db = await openDatabase(databaseUrl);
  const clock = systemClock;
  const accounts = createAccounts({ db, clock });
  try {
    return await work({
      accounts,
      keys: createKeys({ db, vault, clock }),
      ledger: createLedger({ db, clock }),
      check: () => checkLedger(db),
      async account(username) {
        const found = await accounts.find(username);
        if (!found) throw new UserError(`There is no account named ${username}.`);
        return found;
      },
    });
  } finally {
    await db.destroy();
  }
}
