import { LIMITS } from '@darkroom/image-api';
import { ChannelType, ComponentType, SelectMenuDefaultValueType } from 'discord.js';
import { type LANGUAGES, PLACES, type PlaceSetting } from '../../src/guilds/guild-settings.ts';
import { formatSize, PRESETS, type Size } from '../../src/limits/size.ts';
import { button, customId, menuRow, type Row, rowsOf } from '../../src/messages/buttons.ts';
import { type SelectOption, workflowOption } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { LIMIT_FORMS, type LimitForm } from './forms.ts';
import { type PickedSetting, STEPS, takesSeveral, UNDECIDED } from './picks.ts';
import { type PanelView, SECTIONS, type Section } from './sections.ts';

/** As many as one menu can hold, by Discord's documentation ("Select Menus"). */
const MOST_PICKED = 25;

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

/** What changes the settings of one section: with the menu of sections, no more than the five rows of a message. */
export function controlsOf(section: Section, view: PanelView, texts: Texts): Row[] {
  const { settings } = view;
  const { names } = texts.settings;
  const pickId = (name: PickedSetting) => customId('settings', 'pick', name, section);
  const choose = (name: Choice, options: SelectOption[], current: string | undefined) =>
    menu(
      pickId(name),
      names[name],
      [{ value: UNDECIDED, label: `${names[name]}: ${texts.settings.whereUndecided[name]}` }, ...options],
      current ?? UNDECIDED,
    );
  const sizes = (name: 'defaultSize' | 'largestSize', current: Size | undefined) =>
    choose(name, sizeOptions(names[name], current), current && formatSize(current));
  const toggle = (name: 'paused' | 'privateByDefault' | 'ownPictures') => {
    const label = texts.settings.toggle[name](settings[name]);
    return button.secondary(label, customId('settings', 'toggle', name, settings[name] ? 'off' : 'on'));
  };
  const places = (name: PlaceSetting) => placeMenu(pickId(name), name, view, texts);

  switch (section) {
    case 'general':
      return [
        ...rowsOf(toggle('paused'), toggle('privateByDefault'), toggle('ownPictures')),
        choose('locale', labelled(names.locale, LANGUAGE_NAMES), settings.locale),
        menu(pickId('notify'), names.notify, labelled(names.notify, texts.settings.notify), settings.notify),
      ];
    case 'access':
      return [places('channels'), places('roles'), places('ownPictureChannels'), places('ownPictureRoles')];
    case 'pictures':
      return [
        workflowMenu(pickId('workflows'), `${names.workflows}: ${texts.settings.everyWorkflow}`, view, texts),
        choose(
          'defaultWorkflow',
          defaultWorkflows(view).map((workflow) => ({
            value: workflow,
            label: `${names.defaultWorkflow}: ${workflow}`,
          })),
          settings.defaultWorkflow,
        ),
        sizes('defaultSize', settings.defaultSize),
      ];
    case 'limits':
      return [
        sizes('largestSize', settings.largestSize),
        choose(
          'mostSteps',
          STEPS.map((steps) => ({ value: `${steps}`, label: `${names.mostSteps}: ${steps}` })),
          settings.mostSteps?.toString(),
        ),
        ...rowsOf(
          ...(Object.keys(LIMIT_FORMS) as LimitForm[]).map((form) =>
            button.secondary(texts.settings.limitForms[form], customId('settings', 'limits', form)),
          ),
        ),
      ];
    case 'moderation':
      return [
        ...rowsOf(button.secondary(names.blockedWords, customId('settings', 'words'))),
        menu(
          pickId('flagged'),
          names.flagged,
          labelled(names.flagged, texts.settings.flagged),
          settings.flagged,
        ),
        places('logChannelId'),
        places('reportChannelId'),
      ];
  }
}

/** Settings of which one value is chosen, or none. */
type Choice = keyof Texts['settings']['whereUndecided'];

const labelled = (name: string, labels: Readonly<Record<string, string>>): SelectOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label: `${name}: ${label}` }));

/** The presets, and a size that somebody has typed before. */
function sizeOptions(name: string, current: Size | undefined): SelectOption[] {
  const largest = { width: LIMITS.width.max, height: LIMITS.height.max };
  const sizes = [...Object.values(PRESETS), largest, ...(current ? [current] : [])].map(formatSize);
  return [...new Set(sizes)].map((size) => ({ value: size, label: `${name}: ${size}` }));
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
  [...new Set([...decided, ...offered])].slice(0, MOST_PICKED - 1);

/** Those of them that are allowed, and draw from words alone. */
const defaultWorkflows = ({ offers, settings: { workflows: chosen, defaultWorkflow } }: PanelView) => {
  const allowed = chosen.length > 0 ? chosen : offers.map(({ name }) => name);
  const able = allowed.filter((name) => offers.every((offer) => offer.fromWords || offer.name !== name));
  return menuNames(defaultWorkflow === undefined ? [] : [defaultWorkflow], able);
};

const workflowMenu = (
  id: string,
  placeholder: string,
  { offers, settings: { workflows: chosen } }: PanelView,
  texts: Texts,
): Row => {
  const names = menuNames(
    chosen,
    offers.map(({ name }) => name),
  );
  return menuRow({
    type: ComponentType.StringSelect,
    custom_id: id,
    placeholder,
    min_values: 0,
    max_values: names.length,
    options: names.map((name) => ({
      ...workflowOption(name, offers, texts),
      default: chosen.includes(name),
    })),
  });
};

/** Discord refuses a menu that has picked what is not there. */
function placeMenu(id: string, name: PlaceSetting, { settings, places }: PanelView, texts: Texts): Row {
  const kind = PLACES[name];
  const there = [settings[name] ?? []].flat().filter((place) => places?.[kind].has(place));
  const common = {
    custom_id: id,
    placeholder: texts.settings.names[name],
    min_values: 0,
    max_values: takesSeveral(name) ? MOST_PICKED : 1,
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
