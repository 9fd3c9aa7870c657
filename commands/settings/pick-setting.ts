import { channelMention } from 'discord.js';
import type { SelectOptions } from '../../src/bot/command.ts';
import { channelsIn, type GuildSettings, ID_SETTINGS, isIdSetting } from '../../src/guilds/guild-settings.ts';
import { areaOf } from '../../src/limits/size.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Offer } from '../../src/requests/offers.ts';
import { type Invocation, managedGuild } from './invocation.ts';
import { change } from './panel.ts';
import { isGone, isPickedSetting, mergeLists, pick, takesSeveral } from './picks.ts';
import { sectionOf } from './sections.ts';

/** Makes of a pick in a menu of the panel a setting. Values are checked: a client can send others than the menu has. */
export async function pickSetting(invocation: Invocation<SelectOptions>): Promise<void> {
  const guildId = await managedGuild(invocation);
  const { options, texts, context } = invocation;
  const { values, shown, channels, args } = options;
  const [name = '', section] = args;
  if (!isPickedSetting(name)) throw new UserError(texts.refusal.unknownComponent);
  const kind = isIdSetting(name) ? ID_SETTINGS[name] : undefined;
  const isPlace = kind !== undefined && (values.length > 0 || takesSeveral(name));
  const { guildDirectory, guildSettings } = context.guilds;
  const places = isPlace
    ? await guildDirectory.idsOf(guildId, channelsIn(await guildSettings.of(guildId)))
    : undefined;
  if (isPlace) {
    if (!places) throw new UserError(texts.settings.idsUnknown);
    const unlisted = values.filter((id) => !places[kind].has(id));
    if (!unlisted.every((id) => channels.has(id))) throw new UserError(texts.settings.notHere);
    const [unseen] = unlisted;
    if (unseen && !takesSeveral(name)) throw new UserError(texts.refusal.unseen(channelMention(unseen)));
  }
  const picked = (before: GuildSettings): GuildSettings => {
    const there = takesSeveral(name) && before[name].filter((id) => !isGone(id, name, places));
    const picks = there ? mergeLists(there, { shown, values }) : values;
    if (!picks) throw new UserError(texts.settings.changedSince);
    const after = pick(before, name, picks);
    if (!after) throw new UserError(texts.refusal.unknownComponent);
    const { workflows, defaultWorkflow, defaultSize, largestSize } = after;
    const isNew = (workflow: string | undefined) =>
      workflow !== before.defaultWorkflow && !before.workflows.includes(workflow ?? '');
    const offers = context.offers.of();
    const names = offers.map((offer) => offer.name);
    if ([...workflows, defaultWorkflow].some((one) => one && isNew(one) && !names.includes(one))) {
      throw new UserError(texts.refusal.workflow(names));
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
