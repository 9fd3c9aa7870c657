import type { GuildIds } from '../../src/bot/guild-directory.ts';
import { recordChanges, type WrittenSettings } from '../../src/bot/record-action.ts';
import { channelsIn, type GuildSettings, UNREADABLE_SETTINGS } from '../../src/guilds/guild-settings.ts';
import { LIMIT_NAMES } from '../../src/limits/limit-set.ts';
import { formatSize, type Size } from '../../src/limits/size.ts';
import type { Message } from '../../src/messages/message.ts';
import { controlsOf, sectionMenu } from './controls.ts';
import { type Invocation, managedGuild } from './invocation.ts';
import { describeSettings } from './overview.ts';
import type { PanelView, Section } from './sections.ts';

/** The panel of a server: what is decided, and one section's controls. `known` is not read again. */
export async function showPanel(
  invocation: Invocation,
  section: Section,
  known: Partial<Pick<PanelView, 'settings' | 'places'>> = {},
): Promise<Message> {
  const { caller, texts, context } = invocation;
  const guildId = await managedGuild(invocation);
  const settings = known.settings ?? (await context.guilds.guildSettings.of(guildId));
  const [blocked, places] = await Promise.all([
    context.guilds.blockedMembers.ofGuild(guildId),
    known.places ?? context.guilds.guildDirectory.idsOf(guildId, channelsIn(settings)),
  ]);
  const view = {
    settings,
    offers: context.offers.of(),
    blocked,
    places,
    operator: context.requests.limits.bounds,
    interactionId: caller.interaction.id,
  };
  const lines = [
    ...(settings === UNREADABLE_SETTINGS ? [texts.settings.unreadable] : []),
    describeSettings(view, section, texts),
  ];
  const description = lines.join('\n\n');
  return {
    embeds: [{ title: `${texts.settings.heading} · ${texts.settings.sections[section]}`, description }],
    rows: [sectionMenu(section, texts), ...controlsOf(section, view, texts)],
  };
}

/**
 * Changes the settings of the caller's server, writes down who did, and shows the panel anew. `places`: where they
 * have been read: Discord waits for the answer.
 */
export async function change(
  invocation: Invocation,
  section: Section,
  changed: (settings: GuildSettings) => GuildSettings,
  places?: GuildIds,
): Promise<void> {
  const guildId = await managedGuild(invocation);
  const { reply, context } = invocation;
  const { before, after } = await context.guilds.guildSettings.change(guildId, changed);
  await recordChanges(invocation, guildId, written(before), written(after));
  await reply.update(await showPanel(invocation, section, { settings: after, places }));
}

function written({ limits, defaultSize, largestSize, ...rest }: GuildSettings): WrittenSettings {
  const size = (one: Size | undefined) => one && formatSize(one);
  const plain = Object.entries({
    ...rest,
    defaultSize: size(defaultSize),
    largestSize: size(largestSize),
    ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name]])),
  });
  return Object.fromEntries(
    plain.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') || undefined : value?.toString(),
    ]),
  );
}
