import { OperatorError, ownCommand } from '@darkroom/process';
import { type Clock, DAY_MS } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import { addGrant, type Grant } from '../ledger/grant.ts';
import { type Account, invalidateKeyHolders } from './key-holders.ts';
import { hashSecret, makeSecret } from './secrets.ts';

/** How long a login token counts unless the operator says otherwise: keys that it has made stay valid. */
const LOGIN_TOKEN_MS = 90 * DAY_MS;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  const addLoginToken = async (
    db: ServiceDatabase,
    accountId: number,
    expiresAt: number | null = clock.now() + LOGIN_TOKEN_MS,
  ): Promise<string> => {
    const token = makeSecret('lt');
    await db
      .insertInto('loginTokens')
      .values({ hash: hashSecret(token), accountId, createdAt: clock.now(), expiresAt })
      .execute();
    return token;
  };

  const deleteLoginTokens = (db: ServiceDatabase, accountId: number) =>
    db.deleteFrom('loginTokens').where('accountId', '=', accountId).executeTakeFirst();

  return {
    /** With what it is given to start with. Throws where the name is taken. */
    add: (username: string, grant?: Omit<Grant, 'accountId'>): Promise<Account> =>
      db.transaction().execute(async (trx) => {
        const added = await trx
          .insertInto('accounts')
          .values({ username, createdAt: clock.now(), disabledAt: null })
          .onConflict((conflict) => conflict.column('username').doNothing())
          .returning(['id', 'username'])
          .executeTakeFirst();
        if (!added)
          throw new OperatorError(
            `There is already an account named ${username}. ${ownCommand('service', `token add ${username}`)} prints a login token for it.`,
          );
        if (grant) await addGrant(trx, { ...grant, accountId: added.id }, clock.now());
        return added;
      }),

    find: (username: string): Promise<Account | undefined> =>
      db
        .selectFrom('accounts')
        .select(['id', 'username'])
        .where('username', '=', username)
        .executeTakeFirst(),

    /**
     * A new login token, `lt-` and 48 hexadecimal characters, that counts until `expiresAt`; null: for ever. Only its
     * hash is kept: nobody can read it again.
     */
    issueLoginToken: (accountId: number, expiresAt?: number | null): Promise<string> =>
      addLoginToken(db, accountId, expiresAt),

    /** A new login token in place of all that the account has. Its keys stay valid. */
    rotateLoginTokens: (accountId: number, expiresAt?: number | null): Promise<string> =>
      db.transaction().execute(async (trx) => {
        await deleteLoginTokens(trx, accountId);
        return addLoginToken(trx, accountId, expiresAt);
      }),

    /** The account's login tokens, oldest first. */
    listLoginTokens: (accountId: number) =>
      db
        .selectFrom('loginTokens')
        .select(['createdAt', 'expiresAt'])
        .where('accountId', '=', accountId)
        .orderBy('createdAt')
        .execute(),

    /** The account that `token` logs in to, unless its time is over. */
    findByLoginToken: (token: string): Promise<Account | undefined> =>
      db
        .selectFrom('loginTokens')
        .innerJoin('accounts', 'accounts.id', 'loginTokens.accountId')
        .select(['accounts.id', 'accounts.username'])
        .where('loginTokens.hash', '=', hashSecret(token))
        .where('accounts.disabledAt', 'is', null)
        .where((eb) =>
          eb.or([eb('loginTokens.expiresAt', 'is', null), eb('loginTokens.expiresAt', '>', clock.now())]),
        )
        .executeTakeFirst(),

    /** Revokes every login token of the account; its keys stay valid. Returns how many there were. */
    async revokeLoginTokens(accountId: number): Promise<number> {
      const revoked = await deleteLoginTokens(db, accountId);
      return Number(revoked.numDeletedRows);
    },

    /** Every account, oldest first. */
    list: () =>
      db
        .selectFrom('accounts')
        .select(['id', 'username', 'createdAt', 'disabledAt'])
        .select((eb) =>
          eb
            .selectFrom('tasks')
            .select((eb) => eb.fn.max('tasks.createdAt').as('last'))
            .whereRef('tasks.accountId', '=', 'accounts.id')
            .as('lastTaskAt'),
        )
        .orderBy('id')
        .execute(),

    setDisabled: (accountId: number, disabled: boolean): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('accounts')
          .set({ disabledAt: disabled ? clock.now() : null })
          .where('id', '=', accountId)
          .execute();
        await invalidateKeyHolders(trx);
      }),
  };
}
