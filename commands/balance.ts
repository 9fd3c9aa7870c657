import { ApplicationCommandOptionType, ButtonStyle, PermissionFlagsBits, userMention } from 'discord.js';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { PickedUser } from '../src/bot/options.ts';
import { catchRejectedKey, UserError } from '../src/bot/user-error.ts';
import type { Caller } from '../src/jobs/job-request.ts';
import { button, customId } from '../src/messages/buttons.ts';
import type { Message } from '../src/messages/message.ts';

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

  async run(invocation) {
    const { member } = invocation.options;
    const isOwn = member === undefined || member.id === invocation.caller.member.id;
    await invocation.reply.answer(isOwn ? ownBalance(invocation) : balanceOf(member, invocation));
  },

  buttons: { own: (invocation) => invocation.reply.answer(ownBalance(invocation)) },

  nextSteps: {
    showBalance: (texts) => button(ButtonStyle.Primary, texts.balance.show, customId('balance', 'own')),
  },
});

async function balanceOf(
  member: PickedUser,
  { caller, permissions, texts, context: { credentials, images } }: Invocation,
): Promise<Message> {
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild))
    throw new UserError(texts.refusal.needsManageServerForCredits);
  const mention = userMention(member.id);
  const noKey = (cause?: unknown) => new UserError(texts.refusal.noVisibleKey(mention), { cause });
  const linked = await catchRejectedKey(credentials.open({ kind: 'member', id: member.id }), noKey);
  if (!member.inGuild || !linked?.visibleToModerators) throw noKey();
  const { balance } = await catchRejectedKey(
    images.balance({ apiKey: linked.apiKey }),
    (cause) => new UserError(texts.refusal.memberKeyRejected(mention), { cause }),
  );
  return { content: texts.balance.ofMember(mention, format(balance, caller)) };
}

async function ownBalance({
  caller,
  permissions,
  texts,
  context: { credentials, images, nextSteps },
}: Invocation): Promise<Message> {
  const credential = await credentials.resolve(caller);
  if (!credential)
    throw new UserError(texts.refusal.noKey, { nextStep: nextSteps.linkKey?.('member', texts) });
  const { payer, apiKey } = credential;
  // What a server or the operator has left is not its members' to know, unless they run the server.
  if (payer.kind === 'operator') return { content: texts.balance.operatorPays };
  if (payer.kind === 'guild' && !permissions.callerHas(PermissionFlagsBits.ManageGuild)) {
    return { content: texts.balance.guildPays };
  }
  const { balance, username } = await catchRejectedKey(
    images.balance({ apiKey }),
    (cause) =>
      new UserError(texts.failure.reasons.unauthorized[payer.kind], {
        nextStep: nextSteps.linkKey?.(payer.kind, texts),
        cause,
      }),
  );
  return { content: texts.balance.own(format(balance, caller), username) };
}

const format = (credits: number, { member }: Caller): string =>
  credits.toLocaleString(member.locale, { maximumFractionDigits: 3 });
