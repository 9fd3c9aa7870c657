import { LIMITS } from '@darkroom/image-api';
import { ChannelType, ComponentType, SelectMenuDefaultValueType } from 'discord.js';
import { shownAnew } from '../../src/bot/shown-picks.ts';
import { ID_SETTINGS, type IdSetting, idsIn, type LANGUAGES } from '../../src/guilds/guild-settings.ts';
import { formatSize, PRESETS, type Size } from '../../src/limits/size.ts';
import { button, customId, menuRow, type Row, rowsOf } from '../../src/messages/buttons.ts';
import {
  MOST_OPTIONS,
  type SelectOption,
  UNDECIDED,
  workflowOption,
} from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { LIMIT_FORMS, type LimitForm } from './forms.ts';
import { isGone, type PickedSetting, STEPS, takesSeveral } from './picks.ts';
import { type PanelView, SECTIONS, type Section } from './sections.ts';

/** Channels in which the bot posts by itself, and those in which members may ask for pictures as well. */
const POSTED_IN = [ChannelType.GuildText, ChannelType.GuildAnnouncement];
const TALKED_IN = [ChannelType.GuildVoice, ChannelType.GuildStageVoice, ChannelType.GuildForum];

/** Each by itself. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } satisfies Record<(typeof LANGUAGES)[number], string>;

export const sectionMenu = (current: Section, { settings: texts }: Texts): Row =>
  menu(
    customId('settings', 'section'),
    texts.sections[current],
    SECTIONS.map((section) => ({ value: section, label: texts.sections[section] })),
    current,
  );

/** Settings that a button switches on and off. */
type Toggle = keyof Texts['settings']['toggle'];

export const isToggle = (name: string, { settings }: Texts): name is Toggle =>
  Object.hasOwn(settings.toggle, name);

/** Settings of which one value is chosen, or none. */
type Choice = keyof Texts['settings']['whereUndecided'];

/** Values of a menu, each with how it reads there. */
type Labelled = readonly (readonly [value: string, label: string])[];

/** What changes the settings of one section: with the menu of sections, no more than the five rows of a message. */
export function controlsOf(section: Section, view: PanelView, texts: Texts): Row[] {
  const { settings } = view;
  const { names, whereUndecided } = texts.settings;
  const pickId = (name: PickedSetting) => customId('settings', 'pick', name, section);
  const oneOf = (name: Choice | 'notify' | 'flagged', values: Labelled, current: string) => {
    const options = values.map(([value, label]) => ({ value, label: `${names[name]}: ${label}` }));
    return menu(pickId(name), names[name], options, current);
  };
  const choose = (name: Choice, values: Labelled, current: string | undefined) =>
    oneOf(name, [[UNDECIDED, whereUndecided[name]], ...values], current ?? UNDECIDED);
  const sizes = (name: 'defaultSize' | 'largestSize', current: Size | undefined) =>
    choose(name, asTheyAre(sizesBeside(current)), current && formatSize(current));
  const toggle = (name: Toggle) => {
    const label = texts.settings.toggle[name](settings[name]);
    return button.secondary(
      label,
      customId('settings', 'toggle', name, settings[name] ? 'off' : 'on', section),
    );
  };
  const places = (name: IdSetting) => idMenu(pickId(name), name, view, texts);

  switch (section) {
    case 'general':
      return [
        ...rowsOf(toggle('paused'), toggle('privateByDefault'), toggle('ownPictures')),
        choose('locale', Object.entries(LANGUAGE_NAMES), settings.locale),
        oneOf('notify', Object.entries(texts.settings.notify), settings.notify),
      ];
    case 'access':
      return [places('channels'), places('roles'), places('ownPictureChannels'), places('ownPictureRoles')];
    case 'pictures':
      return [
        workflowMenu(pickId('workflows'), view, texts),
        choose('defaultWorkflow', asTheyAre(defaultWorkflows(view)), settings.defaultWorkflow),
        sizes('defaultSize', settings.defaultSize),
      ];
    case 'limits':
      return [
        sizes('largestSize', settings.largestSize),
        choose('mostSteps', asTheyAre(STEPS.map(String)), settings.mostSteps?.toString()),
        ...rowsOf(
          ...(Object.keys(LIMIT_FORMS) as LimitForm[]).map((form) =>
            button.secondary(texts.settings.limitForms[form], customId('settings', 'limits', form)),
          ),
        ),
      ];
    case 'moderation':
      return [
        ...rowsOf(button.secondary(names.blockedWords, customId('settings', 'words'))),
        oneOf('flagged', Object.entries(texts.settings.flagged), settings.flagged),
        places('logChannelId'),
        places('reportChannelId'),
      ];
  }
}

const asTheyAre = (values: readonly string[]): Labelled => values.map((value) => [value, value]);

/** The presets, and a size that somebody has typed before. */
function sizesBeside(current: Size | undefined): string[] {
  const largest = { width: LIMITS.width.max, height: LIMITS.height.max };
  return [...new Set([...Object.values(PRESETS), largest, ...(current ? [current] : [])].map(formatSize))];
}

const menu = (id: string, placeholder: string, options: SelectOption[], current: string): Row =>
  menuRow({
    type: ComponentType.StringSelect,
    custom_id: id,
    placeholder,
    options: options.map((option) => ({ ...option, default: option.value === current })),
  });

/** What the service has, and what was decided while it had others; with 'not decided', as many as a menu can hold. */
const menuNames = (decided: readonly string[], offered: readonly string[]): string[] =>
  [...new Set([...decided, ...offered])].slice(0, MOST_OPTIONS - 1);

/** Those of them that are allowed, and draw from words alone. */
const defaultWorkflows = ({ offers, settings: { workflows: chosen, defaultWorkflow } }: PanelView) => {
  const allowed = chosen.length > 0 ? chosen : offers.map(({ name }) => name);
  const able = allowed.filter((name) => offers.every((offer) => offer.fromWords || offer.name !== name));
  return menuNames(defaultWorkflow === undefined ? [] : [defaultWorkflow], able);
};

function workflowMenu(id: string, { offers, settings: { workflows: chosen } }: PanelView, texts: Texts): Row {
  const offered = offers.map(({ name }) => name);
  const names = menuNames(chosen, offered);
  return menuRow({
    type: ComponentType.StringSelect,
    custom_id: id,
    placeholder: `${texts.settings.names.workflows}: ${texts.settings.everyWorkflow}`,
    min_values: 0,
    max_values: names.length,
    options: names.map((name) => ({
      ...workflowOption(name, offers, texts),
      default: chosen.includes(name),
    })),
  });
}

/** Discord refuses a menu that has picked what is not there. */
function idMenu(
  id: string,
  name: IdSetting,
  { settings, places, interactionId }: PanelView,
  texts: Texts,
): Row {
  const kind = ID_SETTINGS[name];
  const kept = idsIn(settings, name).filter((place) => !isGone(place, name, places));
  const there = kept.filter((place) => places?.[kind].has(place));
  const room = MOST_OPTIONS - (kept.length - there.length);
  const common = {
    custom_id: shownAnew(id, interactionId),
    placeholder: texts.settings.names[name],
    min_values: 0,
    max_values: takesSeveral(name) ? Math.max(1, room) : 1,
    // Nothing would show as picked in it.
    disabled: places === undefined,
  };
  return menuRow(
    kind === 'channels'
      ? {
          ...common,
          type: ComponentType.ChannelSelect,
          channel_types: takesSeveral(name) ? [...POSTED_IN, ...TALKED_IN] : POSTED_IN,
          default_values: there.map((place) => ({ id: place, type: SelectMenuDefaultValueType.Channel })),
        }
      : {
          ...common,
          type: ComponentType.RoleSelect,
          default_values: there.map((place) => ({ id: place, type: SelectMenuDefaultValueType.Role })),
        },
  );
}
