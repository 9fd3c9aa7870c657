import { ownCommand } from '@darkroom/process';
import { defineCommand } from '../src/bot/command.ts';
import type * as bot from '../src/bot/invocation.ts';
import { type Button, button, customId, rowsOf } from '../src/messages/buttons.ts';
import type { Texts } from '../src/messages/locale/en.ts';
import type { Message } from '../src/messages/message.ts';
import type { OfferedSteps } from '../src/messages/next-steps.ts';
import { exampleFlags, hasEffect, offersFor, usualWorkflow, whoSees } from '../src/requests/offers.ts';

const USES = ['guilds', 'offers'] as const;
type Invocation = bot.Invocation<unknown, (typeof USES)[number]>;

const SCREENS = ['make', 'type', 'keys'] as const;
type Screen = (typeof SCREENS)[number];

/** How the bot is used, screen by screen, with buttons that do what is said. */
export const help = defineCommand({
  uses: USES,
  data: {
    name: 'help',
    description: 'How to make pictures, in three screens',
  },

  run: (invocation) => invocation.reply.answer(screenMessage(invocation, 'make')),

  buttons: {
    async screen(invocation) {
      const [name] = invocation.options;
      const screen = SCREENS.find((one) => one === name) ?? 'make';
      await invocation.reply.update(await screenMessage(invocation, screen));
    },
  },
});

async function screenMessage(invocation: Invocation, screen: Screen): Promise<Message> {
  const { texts, context, permissions } = invocation;
  const { title } = texts.help.screens[screen];
  const lines = screen === 'type' ? await whatToType(invocation) : texts.help.screens[screen].lines;
  const seen = screen === 'make' ? whoSees(context.offers, texts) : [];
  const notes = seen.length > 0 ? ['', ...seen] : [];
  const forManagers =
    screen === 'make' && permissions.callerHas('ManageGuild')
      ? ['', texts.help.manage, texts.help.setUp(ownCommand('setup'), ownCommand('doctor'))]
      : [];
  const tabs = SCREENS.map((one) => ({
    ...button.secondary(texts.help.tabs[one], customId('help', 'screen', one)),
    disabled: one === screen,
  }));
  return {
    embeds: [{ title, description: [...lines, ...notes, ...forManagers].join('\n') }],
    rows: [...rowsOf(...tabs), ...rowsOf(...stepsOf(screen, texts, context.nextSteps))],
  };
}

/** What has an effect here. */
async function whatToType({ caller, texts, context }: Invocation): Promise<string[]> {
  const { workflows } = await context.guilds.guildSettings.of(caller.guildId);
  const offers = context.offers.of(workflows);
  const usual = usualWorkflow(offers);
  return texts.help.screens.type.lines({
    leavesOut: hasEffect('negative_prompt', offers),
    repeats: hasEffect('seed', offers),
    changes: offersFor('edit', offers).length > 0,
    workflow: offers.find(({ name }) => name !== usual)?.name,
    flags: exampleFlags(offers, 'seed'),
  });
}

function stepsOf(screen: Screen, texts: Texts, nextSteps: OfferedSteps): (Button | undefined)[] {
  switch (screen) {
    case 'make':
      return texts.help.examples.map((_, nth) => nextSteps.tryExample?.(nth, texts));
    case 'type':
      return [nextSteps.openSettings?.(texts)];
    case 'keys':
      return [
        nextSteps.linkKey?.('member', texts),
        nextSteps.createKey?.(texts),
        nextSteps.showBalance?.(texts),
      ];
  }
}
