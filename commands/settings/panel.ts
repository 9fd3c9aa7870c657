import { UNREADABLE_SETTINGS } from '../../src/guilds/guild-settings.ts';
import { MESSAGE_LIMITS, type Message, truncate } from '../../src/messages/message.ts';
import { controlsOf, sectionMenu } from './controls.ts';
import type { Invocation } from './invocation.ts';
import { describeSettings } from './overview.ts';
import type { PanelView, Section } from './sections.ts';

/** The panel of a server: what is decided, and one section's controls. `known` is not read again. */
export async function showPanel(
  guildId: string,
  invocation: Invocation,
  section: Section,
  known: Partial<Pick<PanelView, 'settings' | 'places'>> = {},
): Promise<Message> {
  const { texts, context } = invocation;
  const [settings, blocked, places] = await Promise.all([
    known.settings ?? context.guilds.guildSettings.of(guildId),
    context.guilds.blockedMembers.ofGuild(guildId),
    known.places ?? context.guilds.guildDirectory.placesOf(guildId),
  ]);
  const offers = context.offers.of();
  const view = {
    settings,
    workflows: offers.map(({ name }) => name),
    withoutWords: offers.filter(({ fromWords }) => !fromWords).map(({ name }) => name),
    blocked,
    places,
    operator: context.requests.limits.bounds,
  };
  const lines = [
    ...(settings === UNREADABLE_SETTINGS ? [texts.settings.unreadable] : []),
    describeSettings(view, section, texts),
  ];
  const description = truncate(lines.join('\n\n'), MESSAGE_LIMITS.embedDescription);
  return {
    embeds: [{ title: `${texts.settings.heading} · ${texts.settings.sections[section]}`, description }],
    rows: [sectionMenu(section, texts), ...controlsOf(section, view, texts)],
  };
}
