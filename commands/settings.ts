import { channelMention } from 'discord.js';
import { defineCommandGroup, type SelectOptions } from '../src/bot/command.ts';
import { subcommand } from '../src/bot/command-payload.ts';
import type { GuildPlaces } from '../src/bot/guild-directory.ts';
import { channelsIn, type GuildSettings, isPlaceSetting, PLACES } from '../src/guilds/guild-settings.ts';
import { areaOf } from '../src/limits/size.ts';
import { UserError } from '../src/messages/user-error.ts';
import type { Offer } from '../src/requests/offers.ts';
import { checkServer } from './settings/check.ts';
import {
  isLimitForm,
  limitForm,
  readLimits,
  readWords,
  typedLimits,
  typedWords,
  wordsForm,
} from './settings/forms.ts';
import { type Invocation, managedGuild, USES } from './settings/invocation.ts';
import { keptTyped, orKeep } from './settings/keep-typed.ts';
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
import { isPickedSetting, pick, takesSeveral, unseenIn } from './settings/picks.ts';
import { sectionOf } from './settings/sections.ts';

const isToggle = (name: string) => name === 'paused' || name === 'privateByDefault' || name === 'ownPictures';

export const settings = defineCommandGroup({
  uses: USES,
  data: {
    name: 'settings',
    description: 'Your defaults, and what is allowed in this server',
    options: [
      subcommand('me', 'Your defaults for every picture'),
      subcommand('panel', 'Show and change the settings of this server (Manage Server)'),
      subcommand('check', 'Test what usually breaks here, and say what mends it (Manage Server)'),
    ],
  },

  run: {
    me: showMine,

    panel: (invocation) => invocation.reply.answer(showPanel(invocation, 'general')),
    check: (invocation) => invocation.reply.answer(checkServer(invocation)),
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

    async toggle(invocation) {
      const [name = '', to] = invocation.options;
      if (!isToggle(name)) throw new UserError(invocation.texts.refusal.unknownComponent);
      await change(invocation, 'general', (before) => ({ ...before, [name]: to === 'on' }));
    },

    async limits(invocation) {
      const { options, reply, texts, context } = invocation;
      const settings = await context.guilds.guildSettings.of(await managedGuild(invocation));
      const [form = '', draftId] = options;
      if (!isLimitForm(form)) throw new UserError(texts.refusal.unknownComponent);
      const kept = await keptTyped(draftId, invocation);
      await reply.showModal(limitForm(form, settings, texts, kept?.prompt));
    },

    async words(invocation) {
      const { options, reply, texts, context } = invocation;
      const settings = await context.guilds.guildSettings.of(await managedGuild(invocation));
      const kept = await keptTyped(options[0], invocation);
      await reply.showModal(wordsForm(settings, texts, kept?.prompt));
    },
  },

  forms: {
    mine: submitMineForm,

    async limits(invocation) {
      const { options, texts } = invocation;
      const [form = ''] = options.args;
      if (!isLimitForm(form)) throw new UserError(texts.refusal.unknownComponent);
      const prompt = typedLimits(form, options.fields);
      const read = await orKeep({ prompt }, ['limits', form], invocation, () =>
        readLimits(form, prompt, texts),
      );
      await change(invocation, 'limits', (before) => ({ ...before, limits: { ...before.limits, ...read } }));
    },

    async words(invocation) {
      const prompt = typedWords(invocation.options.fields);
      const blockedWords = await orKeep({ prompt }, ['words'], invocation, () =>
        readWords(prompt, invocation.texts),
      );
      await change(invocation, 'moderation', (before) => ({ ...before, blockedWords }));
    },
  },

  nextSteps: { openSettings: openMineButton },
});

/** As far as the settings name them. */
async function readPlaces(
  guildId: string,
  { context: { guilds } }: Invocation,
): Promise<GuildPlaces | undefined> {
  const named = channelsIn(await guilds.guildSettings.of(guildId));
  return guilds.guildDirectory.placesOf(guildId, named);
}

/** Values are checked: a client can send others than the menu has. */
async function pickSetting(invocation: Invocation<SelectOptions>): Promise<void> {
  const guildId = await managedGuild(invocation);
  const { options, texts, context } = invocation;
  const { values, channels, args } = options;
  const [name = '', section] = args;
  if (!isPickedSetting(name)) throw new UserError(texts.refusal.unknownComponent);
  const kind = isPlaceSetting(name) ? PLACES[name] : undefined;
  const isPlace = kind !== undefined && (values.length > 0 || takesSeveral(name));
  const places = isPlace ? await readPlaces(guildId, invocation) : undefined;
  if (isPlace) {
    if (!places) throw new UserError(texts.settings.placesUnknown);
    const unlisted = values.filter((id) => !places[kind].has(id));
    if (!unlisted.every((id) => channels.has(id))) throw new UserError(texts.settings.notHere);
    const [unseen] = unlisted;
    if (unseen && !takesSeveral(name)) throw new UserError(texts.refusal.unseen(channelMention(unseen)));
  }
  const picked = (before: GuildSettings): GuildSettings => {
    const after = pick(before, name, [...new Set([...unseenIn(before, name, places), ...values])]);
    if (!after) throw new UserError(texts.refusal.unknownComponent);
    const { workflows, defaultWorkflow, defaultSize, largestSize } = after;
    const isNew = (workflow: string | undefined) =>
      workflow !== before.defaultWorkflow && !before.workflows.includes(workflow ?? '');
    const offers = context.offers.of();
    const there = offers.map((offer) => offer.name);
    if ([...workflows, defaultWorkflow].some((one) => one && isNew(one) && !there.includes(one))) {
      throw new UserError(texts.refusal.workflow(there));
    }
    const isDrawn = ({ name, fromWords }: Offer) => fromWords || name === before.defaultWorkflow;
    if (offers.some((offer) => offer.name === defaultWorkflow && !isDrawn(offer))) {
      throw new UserError(texts.refusal.workflow(offers.filter(isDrawn).map((offer) => offer.name)));
    }
    if (defaultWorkflow !== undefined && workflows.length > 0 && !workflows.includes(defaultWorkflow)) {
      throw new UserError(texts.settings.defaultNotOffered);
    }
    if (defaultSize && largestSize && areaOf(defaultSize) > areaOf(largestSize)) {
      throw new UserError(texts.settings.defaultTooLarge);
    }
    return after;
  };
  await change(invocation, sectionOf(section), picked, places);
}
