import { toCredits, toMilli } from '../service/ledger/ledger.ts';
import type { Service } from '../service/service.ts';
import type { Resident } from './neighbourhood.ts';
import type { ServiceAccount } from './wire.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/**
 * The residents' accounts with the playground's image service, made on the first start. Login tokens are issued anew on
 * every start, because the service keeps only their hashes.
 */
export async function openAccounts(
  { accounts, keys, ledger }: Pick<Service, 'accounts' | 'keys' | 'ledger'>,
  residents: readonly Resident[],
) {
  const opened = new Map<string, { accountId: number; username: string; loginToken: string }>();
  const arrivals: Resident[] = [];
  for (const resident of residents) {
    const known = await accounts.find(resident.username);
    const account = known ?? (await accounts.add(resident.username));
    if (!known) {
      arrivals.push(resident);
      await ledger.grant({ accountId: account.id, amount: toMilli(resident.credits), note: 'welcome' });
      if (resident.linked) await keys.generate(account.id);
    }
    opened.set(resident.id, {
      accountId: account.id,
      username: account.username,
      loginToken: await accounts.issueLoginToken(account.id),
    });
  }

  return {
    /** Those whose account was made just now. */
    arrivals: arrivals as readonly Resident[],

    async of(residentId: string): Promise<ServiceAccount | null> {
      const account = opened.get(residentId);
      if (!account) return null;
      const { accountId, username, loginToken } = account;
      const [balance, apiKey] = await Promise.all([
        ledger.balance(accountId),
        keys.current(accountId, { reveal: true }),
      ]);
      return { username, loginToken, balance: toCredits(balance), apiKey };
    },
  };
}
