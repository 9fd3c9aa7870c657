import { userMention } from 'discord.js';
import { balanceOf, catchRejectedKey, takeAttempt } from '../../src/bot/key-errors.ts';
import type { PickedUser } from '../../src/bot/options.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { dayOf } from '../../src/usage/usage-row.ts';
import type { Invocation } from './invocation.ts';

/**
 * What moderators see of a member: their credits, where that member has said so for this server, and what was made
 * here today. Who looked at credits, the member can see.
 */
export async function memberBalance(invocation: Invocation, member: PickedUser): Promise<Message> {
  const { caller, permissions, texts } = invocation;
  const { guildId } = caller;
  if (guildId === null || !permissions.callerHas('ManageGuild'))
    throw new UserError(texts.refusal.needsManageServerForCredits);
  const lines = [
    await creditsOf(invocation, member, guildId),
    ...(await today(invocation, member.id, guildId)),
  ];
  return { content: lines.join('\n') };
}

async function creditsOf(invocation: Invocation, member: PickedUser, guildId: string): Promise<string> {
  const { texts, context } = invocation;
  const { credentials } = context.keys;
  const mention = userMention(member.id);
  const payer = { kind: 'member', id: member.id } as const;
  const linked = await credentials.describe(payer);
  if (!member.inGuild || !linked?.visibleIn.includes(guildId)) return texts.refusal.noVisibleKey(mention);
  await takeAttempt('balance', invocation);
  // Where the bot is no member nothing is kept of the server, and what was would soon be erased.
  const recordedIn = (await invocation.caller.botIsMember()) ? guildId : null;
  await recordAction(invocation, recordedIn, { event: 'credits-viewed', memberId: member.id });
  const rejected = (cause: unknown) => new UserError(texts.refusal.memberKeyRejected(mention), { cause });
  const opened = await catchRejectedKey(credentials.open(payer), rejected);
  // It may have been hidden, or replaced, while all of that was asked and written.
  if (!opened?.visibleIn.includes(guildId)) return texts.refusal.noVisibleKey(mention);
  const { balance } = await balanceOf({ payer, apiKey: opened.apiKey }, invocation, rejected);
  return texts.balance.ofMember(mention, balance);
}

/** Nothing on a day on which nothing was made or paid. */
async function today(
  { caller, texts, context }: Invocation,
  memberId: string,
  guildId: string,
): Promise<string[]> {
  const day = dayOf(caller.interaction.createdAt);
  const { total, members } = await context.usage.counts.day(guildId, day);
  if (total.pictures === 0 && total.credits === 0) return [];
  const own = members.find((one) => one.memberId === memberId)?.pictures ?? 0;
  return [texts.balance.today(own, total.pictures, total.credits)];
}
