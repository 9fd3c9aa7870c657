import { ApplicationCommandOptionType, ButtonStyle, PermissionFlagsBits, userMention } from 'discord.js';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { PickedUser } from '../src/bot/options.ts';
import { takeAttempt } from '../src/bot/take-attempt.ts';
import { catchRejectedKey, UserError } from '../src/bot/user-error.ts';
import type { Caller } from '../src/jobs/job-request.ts';
import { button, customId } from '../src/messages/buttons.ts';
import { foreignText } from '../src/messages/foreign-text.ts';
import type { Message } from '../src/messages/message.ts';

/** Of so many of the last requests it is told what they cost. */
const PICTURES = 5;

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

/** Only where that member has said so for this server; who looked, they can see. */
async function balanceOf(member: PickedUser, invocation: Invocation): Promise<Message> {
  const { caller, permissions, texts, context } = invocation;
  const { credentials, images, auditLog } = context;
  const { guildId } = caller;
  if (guildId === null || !permissions.callerHas(PermissionFlagsBits.ManageGuild))
    throw new UserError(texts.refusal.needsManageServerForCredits);
  const mention = userMention(member.id);
  const payer = { kind: 'member', id: member.id } as const;
  const noKey = (cause?: unknown) => new UserError(texts.refusal.noVisibleKey(mention), { cause });
  const linked = await credentials.describe(payer);
  if (!member.inGuild || !linked?.visibleIn.includes(guildId)) throw noKey();
  await takeAttempt('balance', invocation);
  await auditLog.record({
    event: 'credits-viewed',
    memberId: member.id,
    actorId: caller.member.id,
    guildId,
  });
  const opened = await catchRejectedKey(credentials.open(payer), noKey);
  if (!opened) throw noKey();
  const { balance } = await catchRejectedKey(images.balance({ apiKey: opened.apiKey }), (cause) => {
    void credentials.noteUse(payer, opened.apiKey, 'rejected');
    return new UserError(texts.refusal.memberKeyRejected(mention), { cause });
  });
  return { content: texts.balance.ofMember(mention, format(balance, caller)) };
}

async function ownBalance(invocation: Invocation): Promise<Message> {
  const { caller, permissions, texts, context } = invocation;
  const { credentials, images, nextSteps } = context;
  const credential = await credentials.resolve(caller, { evenRejected: true });
  if (!credential)
    throw new UserError(texts.refusal.noKey, { nextStep: nextSteps.linkKey?.('member', texts) });
  const { payer, apiKey } = credential;
  const spent = await lastCosts(invocation);
  const lines = (...first: string[]): Message => ({ content: [...first, ...spent].join('\n') });
  // What a server or the operator has left is not its members' to know, unless they run the server.
  if (payer.kind === 'operator') return lines(texts.balance.operatorPays);
  if (payer.kind === 'guild' && !permissions.callerHas(PermissionFlagsBits.ManageGuild)) {
    return lines(texts.balance.guildPays);
  }
  await takeAttempt('balance', invocation);
  const { balance, username = '' } = await catchRejectedKey(images.balance({ apiKey }), (cause) => {
    void credentials.noteUse(payer, apiKey, 'rejected');
    return new UserError(texts.failure.reasons.unauthorized[payer.kind], {
      nextStep: nextSteps.linkKey?.(payer.kind, texts),
      cause,
    });
  });
  void credentials.noteUse(payer, apiKey, 'accepted');
  return lines(
    texts.balance.own(format(balance, caller), foreignText(username) || undefined),
    payer.kind === 'guild' ? texts.balance.guildPays : texts.balance.paidWith(`sk-…${apiKey.slice(-4)}`),
  );
}

/** What the caller's last pictures cost, where the service says so. */
async function lastCosts({ caller, texts, context: { tracker } }: Invocation): Promise<string[]> {
  const jobs = await tracker.recent(caller.member.id);
  const paid = jobs.flatMap(({ tasks, submission }) => {
    const costs = tasks.flatMap((task) =>
      'cost' in task && typeof task.cost === 'number' ? [task.cost] : [],
    );
    return costs.length === 0 ? [] : [{ submission, cost: costs.reduce((sum, cost) => sum + cost, 0) }];
  });
  if (paid.length === 0) return [];
  const shown = paid.slice(0, PICTURES).map(({ submission: { prompt }, cost }) => {
    const words = typeof prompt === 'string' ? prompt : texts.picture.graphPrompt;
    return texts.balance.cost(format(cost, caller), foreignText(words));
  });
  return [texts.balance.lastPictures, ...shown];
}

const format = (credits: number, { member }: Caller): string =>
  credits.toLocaleString(member.locale, { maximumFractionDigits: 3 });
