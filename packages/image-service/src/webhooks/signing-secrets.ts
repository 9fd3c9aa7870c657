import { sealedState, type Vault } from '@darkroom/storage';
import { type Clock, DAY_MS } from '@darkroom/time';
import { z } from 'zod';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase } from '../database/database.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import { makeSigningSecret } from './signature.ts';

/** How long after a rotation webhooks are signed with the secret before as well. */
const OVERLAP_MS = DAY_MS;
/** Of those before, how many sign: each makes a header of every webhook longer. */
const MAX_PREVIOUS = 4;

/** Secrets before the current one, oldest first, and until when they sign. */
const previousSecrets = z.array(z.object({ sealed: z.string(), until: z.number() }));

/** Says to the vault whose a signing secret is. */
export const signingSecretContext = (accountId: number): string => `webhook secret of account ${accountId}`;

export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

/** The secrets that webhooks are signed with: one for each account, made when it is first needed, sealed at rest. */
export function createSigningSecrets({
  db,
  vault,
  clock,
}: {
  db: ServiceDatabase;
  vault: Vault;
  clock: Clock;
}) {
  const seal = (accountId: number, secret: string) => vault.seal(secret, signingSecretContext(accountId));

  /** Refused where it cannot be decrypted. */
  function open(accountId: number, sealed: string): string {
    try {
      return vault.open(sealed, signingSecretContext(accountId));
    } catch (cause) {
      throw new ApiError(
        'key_unreadable',
        'The secret of your webhooks can no longer be read: the SECRET_KEY that sealed it is lost. Make a new one.',
        { cause },
      );
    }
  }

  /** Those that still sign, and can. One that cannot be decrypted would keep every webhook from being sent. */
  const previousOf = (accountId: number, { previous }: { previous: string | null }) =>
    previousSecrets
      .parse(JSON.parse(previous ?? '[]'))
      .filter(
        ({ sealed, until }) =>
          clock.now() < until &&
          sealedState(vault, { sealed, context: signingSecretContext(accountId) }) !== 'lost',
      );

  const find = (accountId: number, within: ServiceDatabase = db) =>
    within
      .selectFrom('webhookSecrets')
      .select(['sealed', 'previous'])
      .where('accountId', '=', accountId)
      .executeTakeFirst();

  async function findOrMake(accountId: number) {
    const found = await find(accountId);
    if (found) return found;
    await db
      .insertInto('webhookSecrets')
      .values({
        accountId,
        sealed: seal(accountId, makeSigningSecret()),
        createdAt: clock.now(),
        previous: null,
      })
      .onConflict((conflict) => conflict.column('accountId').doNothing())
      .execute();
    const made = await find(accountId);
    if (!made) throw new Error('the secret of an account is gone as soon as it was made');
    return made;
  }

  return {
    /** Refused where it cannot be decrypted. */
    current: async (accountId: number): Promise<string> =>
      open(accountId, (await findOrMake(accountId)).sealed),

    /** A new secret. Each before it signs as well for a day, the last four at most. */
    async rotate(accountId: number): Promise<string> {
      const secret = makeSigningSecret();
      await findOrMake(accountId);
      await db.transaction().execute(async (trx) => {
        await lockAccounts(trx, [accountId]);
        const now = clock.now();
        const before = await find(accountId, trx);
        const previous = before && [
          ...previousOf(accountId, before),
          { sealed: before.sealed, until: now + OVERLAP_MS },
        ];
        await trx
          .updateTable('webhookSecrets')
          .set({
            previous: JSON.stringify(previous?.slice(-MAX_PREVIOUS) ?? []),
            sealed: seal(accountId, secret),
            createdAt: now,
          })
          .where('accountId', '=', accountId)
          .execute();
      });
      return secret;
    },

    /** Those that a message is signed with now, the current one first. Refused where it cannot be decrypted. */
    async forSigning(accountId: number): Promise<string[]> {
      const found = await findOrMake(accountId);
      const all = [found, ...previousOf(accountId, found).reverse()];
      return all.map(({ sealed }) => open(accountId, sealed));
    },
  };
}
