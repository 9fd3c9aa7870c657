import { channelMention, roleMention, userMention } from 'discord.js';
import { isHidden } from '../../src/bot/guild-directory.ts';
import { LIMIT_NAMES } from '../../src/limits/limit-set.ts';
import { areaOf, formatSize } from '../../src/limits/size.ts';
import { asManyAsFit } from '../../src/messages/as-many-as-fit.ts';
import { inCode } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';
import type { PanelView, Section } from './sections.ts';

/** Of channels. */
const LISTS = ['channels', 'ownPictureChannels'] as const;

/** What is decided in one section, line by line. What is named and no longer there says so. */
export function describeSettings(view: PanelView, section: Section, texts: Texts): string {
  const labels: Readonly<Record<string, string>> = { ...texts.settings.names, ...texts.settings.limits };
  const lines = Object.entries(valuesOf(view, texts)[section]).map(
    ([name, value]) => `**${labels[name]}:** ${value}`,
  );
  const { settings, places } = view;
  const hasUnseen = LISTS.some((name) => settings[name].some((id) => places && isHidden(places, id)));
  return [...lines, ...(section === 'access' && hasUnseen ? [texts.settings.unseenStay] : [])].join('\n');
}

/** By the names of the settings, in the order in which they are read. */
function valuesOf(
  { settings, blocked, places, operator }: PanelView,
  { settings: texts }: Texts,
): Record<Section, Partial<Record<keyof Texts['settings']['names'], string>>> {
  const onOff = (on: boolean) => (on ? texts.on : texts.off);
  const channel = (id: string) => {
    if (places?.gone.has(id)) return texts.deleted(id);
    return places && isHidden(places, id) ? texts.unseen(channelMention(id)) : channelMention(id);
  };
  const role = (id: string) => (!places || places.roles.has(id) ? roleMention(id) : texts.deleted(id));
  const listed = (ids: readonly string[], show: (id: string) => string, all: string) =>
    ids.length > 0 ? ids.map(show).join(', ') : all;
  /** The stricter of what the server and the operator have decided; it says so where it is the operator's. */
  const holds = <Value>(
    own: Value | undefined,
    operators: Value | undefined,
    amountOf: (value: Value) => number,
    show: (value: Value) => string,
  ): string => {
    if (operators !== undefined && (own === undefined || amountOf(operators) < amountOf(own))) {
      return texts.ofOperator(show(operators));
    }
    return own === undefined ? texts.unlimited : show(own);
  };
  const { defaultSize, largestSize, mostSteps, limits, blockedWords } = settings;

  return {
    general: {
      paused: onOff(settings.paused),
      privateByDefault: onOff(settings.privateByDefault),
      ownPictures: onOff(settings.ownPictures),
      locale: settings.locale === undefined ? texts.whereUndecided.locale : texts.languages(settings.locale),
      notify: texts.notify[settings.notify],
    },
    access: {
      channels: listed(settings.channels, channel, texts.everywhere),
      roles: listed(settings.roles, role, texts.everybody),
      ownPictureChannels: listed(settings.ownPictureChannels, channel, texts.everywhere),
      ownPictureRoles: listed(settings.ownPictureRoles, role, texts.everybody),
    },
    pictures: {
      workflows: settings.workflows.join(', ') || texts.everyWorkflow,
      defaultWorkflow: settings.defaultWorkflow ?? texts.whereUndecided.defaultWorkflow,
      defaultSize: defaultSize ? formatSize(defaultSize) : texts.whereUndecided.defaultSize,
    },
    limits: {
      largestSize: holds(largestSize, operator.largestSize, areaOf, formatSize),
      mostSteps: holds(mostSteps, operator.mostSteps, Number, String),
      ...Object.fromEntries(
        LIMIT_NAMES.map((name) => [
          name,
          // The operator's budgets are those of another key.
          holds(limits[name], name.startsWith('key') ? undefined : operator[name], Number, String),
        ]),
      ),
    },
    moderation: {
      flagged: texts.flagged[settings.flagged],
      logChannelId: settings.logChannelId === undefined ? texts.nowhere : channel(settings.logChannelId),
      reportChannelId:
        settings.reportChannelId === undefined ? texts.reportsByCommand : channel(settings.reportChannelId),
      blocked: some(blocked.map(blockedMember)) || texts.nobody,
      blockedWords: some(blockedWords.map(inCode)) || texts.nothing,
    },
  };
}

const blockedMember = ({ memberId, until }: PanelView['blocked'][number]): string =>
  `${userMention(memberId)}${until === undefined ? '' : ` (${relativeTime(until)})`}`;

/** Characters of one list: both of them together leave room for what is decided besides. */
const LIST = 1_500;

const some = (all: readonly string[]): string => asManyAsFit(all, ', ', LIST);
