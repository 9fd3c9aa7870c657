import { ApplicationCommandOptionType, ButtonStyle, PermissionFlagsBits, userMention } from 'discord.js';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { PickedUser } from '../src/bot/options.ts';
import { catchRejectedKey, UserError } from '../src/bot/user-error.ts';
import type { Caller } from '../src/jobs/job-request.ts';
import { button, customId } from '../src/messages/buttons.ts';

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
    if (member === undefined || member.id === invocation.caller.member.id) await showOwn(invocation);
    else await showMembers(invocation, member);
  },

  buttons: { own: showOwn },

  nextSteps: {
    showBalance: (texts) => button(ButtonStyle.Primary, texts.balance.show, customId('balance', 'own')),
  },
});

async function showMembers(
  { caller, permissions, reply, texts, context: { credentials, images } }: Invocation,
  member: PickedUser,
): Promise<void> {
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild))
    throw new UserError(texts.refusal.needsManageServerForCredits);
  await reply.deferReply({ ephemeral: true });
  const mention = userMention(member.id);
  const noKey = (cause?: unknown) => new UserError(texts.refusal.noVisibleKey(mention), { cause });
  const linked = await catchRejectedKey(credentials.open({ kind: 'member', id: member.id }), noKey);
  if (!member.inGuild || !linked?.visibleToModerators) throw noKey();
  const { balance } = await catchRejectedKey(
    images.balance({ apiKey: linked.apiKey }),
    (cause) => new UserError(texts.refusal.memberKeyRejected(mention), { cause }),
  );
  await reply.editReply({ content: texts.balance.ofMember(mention, format(balance, caller)) });
}

async function showOwn({
  caller,
  permissions,
  reply,
  texts,
  context: { credentials, images, nextSteps },
}: Invocation): Promise<void> {
  await reply.deferReply({ ephemeral: true });
  const credential = await credentials.resolve(caller);
  if (!credential)
    throw new UserError(texts.refusal.noKey, { nextStep: nextSteps.linkKey?.('member', texts) });
  const { payer, apiKey } = credential;
  // What a server or the operator has left is not its members' to know, unless they run the server.
  if (payer.kind === 'operator') return reply.editReply({ content: texts.balance.operatorPays });
  if (payer.kind === 'guild' && !permissions.callerHas(PermissionFlagsBits.ManageGuild)) {
    return reply.editReply({ content: texts.balance.guildPays });
  }
  const { balance, username } = await catchRejectedKey(
    images.balance({ apiKey }),
    (cause) =>
      new UserError(texts.failure.reasons.unauthorized[payer.kind], {
        nextStep: nextSteps.linkKey?.(payer.kind, texts),
        cause,
      }),
  );
  await reply.editReply({ content: texts.balance.own(format(balance, caller), username) });
}

const format = (credits: number, { member }: Caller): string =>
  credits.toLocaleString(member.locale, { maximumFractionDigits: 3 });
