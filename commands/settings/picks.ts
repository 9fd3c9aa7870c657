import { LIMITS } from '@darkroom/image-api';
import { type GuildIds, isHidden } from '../../src/bot/guild-directory.ts';
import {
  type GuildSettings,
  guildSettings,
  ID_SETTINGS,
  idsIn,
  isIdSetting,
} from '../../src/guilds/guild-settings.ts';
import { parseSize } from '../../src/limits/size.ts';

/** In a menu, for what is not decided. */
export const UNDECIDED = 'none';

/** How many steps are offered as the most. */
export const STEPS = [10, 20, 30, 40].filter((steps) => steps < LIMITS.steps.max);

/** Several may be picked at once. */
const several = (values: readonly string[]) => values;

const single = ([value]: readonly string[]) => value;

const decided = ([value]: readonly string[]) => (value === UNDECIDED ? undefined : value);

/** What a pick in the menu of each setting makes of it, before it is checked. */
const PICKS = {
  channels: several,
  roles: several,
  ownPictureChannels: several,
  ownPictureRoles: several,
  workflows: several,
  defaultWorkflow: decided,
  defaultSize: (values) => sizeOf(decided(values)),
  largestSize: (values) => sizeOf(decided(values)),
  mostSteps: (values) => numberOf(decided(values)),
  flagged: single,
  notify: single,
  logChannelId: single,
  reportChannelId: single,
  locale: decided,
} satisfies Record<string, (values: readonly string[]) => unknown>;

export type PickedSetting = keyof typeof PICKS;

export const takesSeveral = (name: PickedSetting): boolean => PICKS[name] === several;

export const isPickedSetting = (name: string): name is PickedSetting => Object.hasOwn(PICKS, name);

/** What a list has that its menu cannot show, so that no pick takes it out: channels that are hidden from the bot. */
export const unseenIn = (settings: GuildSettings, name: PickedSetting, places: GuildIds | undefined) =>
  places && isIdSetting(name) && takesSeveral(name) && ID_SETTINGS[name] === 'channels'
    ? idsIn(settings, name).filter((id) => isHidden(places, id))
    : [];

/** Of what no size can be read as, something that is refused. */
const sizeOf = (text: string | undefined) => (text === undefined ? undefined : (parseSize(text) ?? text));

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The settings with what was picked; undefined where that cannot be picked. */
export function pick(
  settings: GuildSettings,
  name: PickedSetting,
  values: readonly string[],
): GuildSettings | undefined {
  if (values.length > 1 && !takesSeveral(name)) return undefined;
  return guildSettings.safeParse({ ...settings, [name]: PICKS[name](values) }).data;
}
