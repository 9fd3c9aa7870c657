import { channelMention, roleMention, TimestampStyles, time, userMention } from 'discord.js';
import { LIMIT_NAMES } from '../../src/limits/limit-set.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { formatSize } from '../../src/messages/size.ts';
import type { PanelView, Section } from './sections.ts';

/** What is decided in one section, line by line. What is named and no longer there says so. */
export function describeSettings(view: PanelView, section: Section, texts: Texts): string {
  const { names } = texts.settings;
  return linesOf(view, texts)
    [section].map(([name, value]) => `**${typeof name === 'string' ? name : names[name[0]]}:** ${value}`)
    .join('\n');
}

type Name = string | [keyof Texts['settings']['names']];

function linesOf(
  { settings, blocked, places }: PanelView,
  { settings: texts }: Texts,
): Record<Section, [Name, string][]> {
  const onOff = (on: boolean) => (on ? texts.on : texts.off);
  const placed = (id: string, mention: string, there: ReadonlySet<string> | undefined) =>
    !there || there.has(id) ? mention : texts.deleted(id);
  const channel = (id: string) => placed(id, channelMention(id), places?.channels);
  const role = (id: string) => placed(id, roleMention(id), places?.roles);
  const listed = (ids: readonly string[], show: (id: string) => string, all: string) =>
    ids.length > 0 ? ids.map(show).join(', ') : all;
  const { defaultSize, largestSize, mostSteps, limits, blockedWords } = settings;

  return {
    general: [
      [['paused'], onOff(settings.paused)],
      [['privateByDefault'], onOff(settings.privateByDefault)],
      [
        ['locale'],
        settings.locale === undefined ? texts.whereUndecided.locale : texts.languages(settings.locale),
      ],
      [['notify'], texts.notify[settings.notify]],
    ],
    access: [
      [['channels'], listed(settings.channels, channel, texts.everywhere)],
      [['roles'], listed(settings.roles, role, texts.everybody)],
    ],
    pictures: [
      [['defaultWorkflow'], settings.defaultWorkflow ?? texts.whereUndecided.defaultWorkflow],
      [['defaultSize'], defaultSize ? formatSize(defaultSize) : texts.whereUndecided.defaultSize],
      [['largestSize'], largestSize ? formatSize(largestSize) : texts.unlimited],
      [['mostSteps'], mostSteps === undefined ? texts.unlimited : `${mostSteps}`],
    ],
    limits: LIMIT_NAMES.map((name) => [texts.limits[name], limits[name]?.toString() ?? texts.unlimited]),
    moderation: [
      [['blockedWords'], listed(blockedWords, quoted, texts.nothing)],
      [
        ['blocked'],
        blocked
          .map(
            ({ memberId, until }) =>
              `${userMention(memberId)}${until === undefined ? '' : ` (${time(new Date(until), TimestampStyles.RelativeTime)})`}`,
          )
          .join(', ') || texts.nobody,
      ],
      [['flagged'], texts.flagged[settings.flagged]],
      [
        ['logChannelId'],
        settings.logChannelId === undefined ? texts.nowhere : channel(settings.logChannelId),
      ],
      [
        ['reportChannelId'],
        settings.reportChannelId === undefined ? texts.nowhere : channel(settings.reportChannelId),
      ],
    ],
  };
}

/** As it is, whatever it holds. */
const quoted = (word: string): string => `\`${word.replaceAll('`', "'")}\``;
