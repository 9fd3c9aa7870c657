import { defineCommandGroup } from '../src/bot/command.ts';
import { subcommand } from '../src/bot/command-payload.ts';
import { UserError } from '../src/messages/user-error.ts';
import { checkServer } from './settings/check-server.ts';
import { isToggle } from './settings/controls.ts';
import {
  isLimitForm,
  limitForm,
  readLimits,
  readWords,
  typedLimits,
  typedWords,
  withWords,
  wordsForm,
} from './settings/forms.ts';
import { managedGuild, USES } from './settings/invocation.ts';
import { keptTyped, orKeep } from './settings/keep-typed.ts';
import { cursorOf, showLog } from './settings/log.ts';
import {
  openMineButton,
  openMineForm,
  pickNotify,
  resetMine,
  showMine,
  submitMineForm,
  toggleAsks,
} from './settings/mine.ts';
import { change, showPanel } from './settings/panel.ts';
import { pickSetting } from './settings/pick-setting.ts';
import { sectionOf } from './settings/sections.ts';

export const settings = defineCommandGroup({
  uses: USES,
  data: {
    name: 'settings',
    description: 'Your defaults, and what is allowed in this server',
    options: [
      subcommand('me', 'Your defaults for every picture'),
      subcommand('panel', 'Show and change the settings of this server (Manage Server)'),
      subcommand('check', 'Test what usually breaks here, and say what mends it (Manage Server)'),
      subcommand('log', 'Show who did what in this server (Manage Server)'),
    ],
  },

  run: {
    me: showMine,

    panel: (invocation) => invocation.reply.answer(showPanel(invocation, 'general')),
    check: (invocation) => invocation.reply.answer(checkServer(invocation)),
    log: (invocation) => invocation.reply.answer(showLog(invocation)),
  },

  selects: {
    async section(invocation) {
      const [section] = invocation.options.values;
      await invocation.reply.update(await showPanel(invocation, sectionOf(section)));
    },

    pick: pickSetting,

    told: pickNotify,
  },

  buttons: {
    me: showMine,
    mine: openMineForm,
    asks: toggleAsks,
    reset: resetMine,
    log: (invocation) => invocation.reply.replace(showLog(invocation, cursorOf(invocation.options))),

    async toggle(invocation) {
      const [name = '', to, section] = invocation.options;
      if (!isToggle(name, invocation.texts)) throw new UserError(invocation.texts.refusal.unknownComponent);
      await change(invocation, sectionOf(section), (before) => ({ ...before, [name]: to === 'on' }));
    },

    async limits(invocation) {
      const { options, reply, texts, context } = invocation;
      const settings = await context.guilds.guildSettings.of(await managedGuild(invocation));
      const [form = '', ...behind] = options;
      if (!isLimitForm(form)) throw new UserError(texts.refusal.unknownComponent);
      const [draftId, shown] = behind.toReversed();
      const kept = await keptTyped(invocation, draftId);
      await reply.showModal(limitForm(form, settings, texts, kept && { typed: kept.prompt, shown }));
    },

    async words(invocation) {
      const { options, reply, texts, context } = invocation;
      const settings = await context.guilds.guildSettings.of(await managedGuild(invocation));
      const [draftId, shown] = options.toReversed();
      const kept = await keptTyped(invocation, draftId);
      await reply.showModal(wordsForm(settings, texts, kept && { typed: kept.prompt, shown }));
    },
  },

  forms: {
    mine: submitMineForm,

    async limits(invocation) {
      const { options, texts } = invocation;
      const [form = '', shown] = options.args;
      if (!isLimitForm(form)) throw new UserError(texts.refusal.unknownComponent);
      const typed = typedLimits(form, options.fields);
      const read = await orKeep(invocation, { prompt: typed }, ['limits', form, shown], () =>
        readLimits(form, { typed, shown }, texts),
      );
      await change(invocation, 'limits', (before) => ({ ...before, limits: { ...before.limits, ...read } }));
    },

    async words(invocation) {
      const { options, texts } = invocation;
      const [shown] = options.args;
      const prompt = typedWords(options.fields);
      await managedGuild(invocation);
      await orKeep(invocation, { prompt }, ['words', shown], async () => {
        const blockedWords = readWords(prompt, texts);
        await change(invocation, 'moderation', (before) => withWords(before, { blockedWords, shown }, texts));
      });
    },
  },

  nextSteps: { openSettings: openMineButton },
});
