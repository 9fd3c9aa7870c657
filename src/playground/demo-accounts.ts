import { type Service, toCredits, toMilli } from '@darkroom/image-service';
import type { LocalDiscord, Panel, PanelRow, UserClient } from 'local-discord';
import { SECRET_FIELD } from '../bot/command.ts';
import { BOT_ID, type DemoUser } from './demo-world.ts';
import { hostWords } from './host-words.ts';

export type DemoAccounts = Awaited<ReturnType<typeof openDemoAccounts>>;

/**
 * The demo users' accounts with the playground's image service, made on the first start. Login tokens are issued anew
 * on every start, because the service stores only their hashes.
 */
export async function openDemoAccounts(
  { accounts, keys, ledger }: Pick<Service, 'accounts' | 'keys' | 'ledger'>,
  users: readonly DemoUser[],
) {
  const opened = new Map<string, { accountId: number; username: string; loginToken: string }>();
  for (const user of users) {
    const welcome = { amount: toMilli(user.credits), note: 'welcome' };
    const account = (await accounts.find(user.username)) ?? (await accounts.add(user.username, welcome));
    opened.set(user.id, {
      accountId: account.id,
      username: account.username,
      loginToken: await accounts.issueLoginToken(account.id),
    });
  }

  return {
    /** What the chat page shows of a user's account. */
    async panel(userId: string, locale: string): Promise<Panel | null> {
      const account = opened.get(userId);
      if (!account) return null;
      const { accountId, username, loginToken } = account;
      const words = hostWords(locale).account;
      const [balance, apiKey] = await Promise.all([
        ledger.balance(accountId),
        keys.current(accountId, { reveal: true }),
      ]);
      return {
        title: words.title,
        rows: [
          { label: username, value: words.credits(toCredits(balance)) },
          apiKey
            ? secret(words.key, apiKey, words.keyHint)
            : { label: words.key, value: words.noKey, hint: words.noKeyHint },
          secret(words.token, loginToken, words.tokenHint),
        ],
        note: words.note,
      };
    },

    /** The bot makes and links a key for each of the `linked` whose account has none. */
    async linkKeys(discord: Pick<LocalDiscord, 'as'>): Promise<void> {
      for (const { id, linked } of users) {
        const account = linked && opened.get(id);
        if (account && (await keys.current(account.accountId, { reveal: false })) === null)
          await generateKey(discord.as(id), account.loginToken);
      }
    },
  };
}

const secret = (label: string, value: string, hint: string): PanelRow => ({
  label,
  value,
  hint,
  copyable: true,
  secret: true,
});

async function generateKey(user: UserClient, loginToken: string): Promise<void> {
  const { id: channelId } = user.openDirectMessage(BOT_ID);
  const form = await user.invoke(channelId, 'apikey generate');
  if (form.kind !== 'modal') throw new Error(`/apikey generate answered with ${form.kind}, not with a form`);
  const answer = await user.submitModal(form.interactionId, { [SECRET_FIELD]: loginToken });
  if (answer.kind !== 'message') throw new Error(`the form of /apikey generate answered with ${answer.kind}`);
  const linked = await user.waitForMessage(({ id, content }) => id === answer.message.id && content !== '');
  user.dismiss(linked.id);
}
