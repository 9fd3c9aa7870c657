import { ApplicationCommandOptionType, PermissionFlagsBits, userMention } from 'discord.js';
import { accepted } from '../src/bot/accepted.ts';
import { linkKey } from '../src/bot/buttons.ts';
import { type Asker, defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { PickedUser } from '../src/bot/options.ts';
import { Refusal } from '../src/bot/refusal.ts';
import { UserError } from '../src/errors.ts';

export const balance = defineCommand({
  data: {
    name: 'balance',
    description: 'Show how many credits are left',
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.User,
        name: 'member',
        description: 'Whose credits (only with the permission Manage Server)',
      },
    ],
  },

  async run(asked) {
    const { member } = asked.options;
    if (member === undefined || member.id === asked.asker.memberId) await showOwn(asked);
    else await showMembers(asked, member);
  },

  buttons: { own: showOwn },
});

async function showMembers(
  { asker, reply, texts, context: { credentials, images } }: Invocation,
  member: PickedUser,
): Promise<void> {
  if (!asker.may(PermissionFlagsBits.ManageGuild)) throw new UserError(texts.refusal.notModerator);
  await reply.defer({ private: true });
  const mention = userMention(member.id);
  const noKey = (options?: ErrorOptions) => new UserError(texts.refusal.noKeyOf(mention), options);
  const linked = await accepted(credentials.open({ kind: 'member', id: member.id }), noKey);
  if (!member.inGuild || !linked?.visibleToModerators) throw noKey();
  const { balance } = await accepted(
    images.balance({ apiKey: linked.apiKey }),
    (options) => new UserError(texts.refusal.keyRefusedOf(mention), options),
  );
  await reply.privately({ content: texts.balance.ofMember(mention, format(balance, asker)) });
}

async function showOwn({ asker, reply, texts, context: { credentials, images } }: Invocation): Promise<void> {
  await reply.defer({ private: true });
  const credential = await credentials.resolve(asker);
  if (!credential) throw new Refusal(texts.refusal.noKey, linkKey(texts));
  const { payer, apiKey } = credential;
  // What a server or the operator has left is not its members' to know, unless they run the server.
  if (payer.kind === 'operator') return reply.privately({ content: texts.balance.operatorPays });
  if (payer.kind === 'guild' && !asker.may(PermissionFlagsBits.ManageGuild)) {
    return reply.privately({ content: texts.balance.guildPays });
  }
  const { balance, username } = await accepted(
    images.balance({ apiKey }),
    (options) =>
      new Refusal(
        texts.failure.why.unauthorized[payer.kind],
        linkKey(texts, payer.kind === 'guild' ? 'server' : 'own'),
        options,
      ),
  );
  await reply.privately({ content: texts.balance.own(format(balance, asker), username) });
}

const format = (credits: number, { locale }: Asker): string =>
  credits.toLocaleString(locale, { maximumFractionDigits: 3 });
