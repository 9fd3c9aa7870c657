import { LIMITS } from '@darkroom/image-api';
import type { GuildIds } from '../../src/bot/guild-directory.ts';
import {
  type GuildSettings,
  guildSettings,
  ID_SETTINGS,
  isIdSetting,
} from '../../src/guilds/guild-settings.ts';
import { parseSize } from '../../src/limits/size.ts';
import { MOST_OPTIONS, UNDECIDED } from '../../src/messages/form-fields.ts';

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

/** Those of which several are picked at once. */
type ListSetting = {
  [Name in PickedSetting]: GuildSettings[Name] extends string[] ? Name : never;
}[PickedSetting];

export const takesSeveral = (name: PickedSetting): name is ListSetting => PICKS[name] === several;

export const isPickedSetting = (name: string): name is PickedSetting => Object.hasOwn(PICKS, name);

/** What a list has that the server has no more: no menu shows it, and the next pick takes it out. */
export const isGone = (id: string, name: PickedSetting, places: GuildIds | undefined): boolean => {
  if (!places || !isIdSetting(name)) return false;
  return ID_SETTINGS[name] === 'channels' ? places.gone.has(id) : !places.roles.has(id);
};

/**
 * The list as it stands `now`, without what was `shown` and is picked no more, and with what is newly picked: what
 * others have done to it since stays, and so does what its menu cannot show. Undefined where that fits no more: they
 * were left with nothing, which would allow everything, or with too many.
 */
export function mergeLists(
  now: readonly string[],
  { shown, values }: { shown: readonly string[]; values: readonly string[] },
): string[] | undefined {
  const stays = now.filter((one) => values.includes(one) || !shown.includes(one));
  const merged = [...new Set([...stays, ...values.filter((one) => !shown.includes(one))])];
  return merged.length > MOST_OPTIONS || (merged.length === 0 && values.length > 0) ? undefined : merged;
}

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
