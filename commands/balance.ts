import { defineCommand } from '../src/bot/command.ts';
import { option } from '../src/bot/command-payload.ts';
import { button, customId } from '../src/messages/buttons.ts';
import { USES } from './balance/invocation.ts';
import { memberBalance } from './balance/member-balance.ts';
import { ownBalance } from './balance/own-balance.ts';

export const balance = defineCommand({
  uses: USES,
  data: {
    name: 'balance',
    description: 'Show how many credits are left',
    options: [option.user('member', 'Whose credits (Manage Server)')],
  },

  async run(invocation) {
    const { member } = invocation.options;
    const isOwn = member === undefined || member.id === invocation.caller.member.id;
    await invocation.reply.answer(isOwn ? ownBalance(invocation) : memberBalance(invocation, member));
  },

  buttons: { own: (invocation) => invocation.reply.answer(ownBalance(invocation)) },

  nextSteps: {
    showBalance: (texts) => button.primary(texts.balance.show, customId('balance', 'own')),
  },
});
