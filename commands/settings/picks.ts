import { LIMITS } from '@darkroom/image-api';
import { type GuildSettings, guildSettings } from '../../src/guilds/guild-settings.ts';
import { parseSize } from '../../src/limits/size.ts';

/** In a menu, for what is not decided. */
export const UNDECIDED = 'none';

/** How many steps are offered as the most. */
export const STEPS = [10, 20, 30, 40].filter((steps) => steps < LIMITS.steps.max);

const decided = ([value]: readonly string[]) => (value === UNDECIDED ? undefined : value);

/** Of which of them several may be picked at once. */
const SEVERAL: ReadonlySet<string> = new Set([
  'channels',
  'roles',
  'ownPictureChannels',
  'ownPictureRoles',
  'workflows',
] satisfies Pick[]);

/** What a pick in each menu makes of the settings, before it is checked. */
const PICKS = {
  channels: (values) => ({ channels: values }),
  roles: (values) => ({ roles: values }),
  ownPictureChannels: (values) => ({ ownPictureChannels: values }),
  ownPictureRoles: (values) => ({ ownPictureRoles: values }),
  workflows: (values) => ({ workflows: values }),
  defaultWorkflow: (values) => ({ defaultWorkflow: decided(values) }),
  defaultSize: (values) => ({ defaultSize: sizeOf(decided(values)) }),
  largestSize: (values) => ({ largestSize: sizeOf(decided(values)) }),
  mostSteps: (values) => ({ mostSteps: numberOf(decided(values)) }),
  flagged: ([value]) => ({ flagged: value }),
  notify: ([value]) => ({ notify: value }),
  logChannelId: ([value]) => ({ logChannelId: value }),
  reportChannelId: ([value]) => ({ reportChannelId: value }),
  locale: (values) => ({ locale: decided(values) }),
} satisfies Record<string, (values: readonly string[]) => Record<string, unknown>>;

/** Which of them name a place of the server. */
export const PLACES: Partial<Record<keyof typeof PICKS, 'channels' | 'roles'>> = {
  channels: 'channels',
  roles: 'roles',
  ownPictureChannels: 'channels',
  ownPictureRoles: 'roles',
  logChannelId: 'channels',
  reportChannelId: 'channels',
};

export type Pick = keyof typeof PICKS;

export const isPick = (name: string): name is Pick => Object.hasOwn(PICKS, name);

/** Of what no size can be read as, something that is refused. */
const sizeOf = (text: string | undefined) => (text === undefined ? undefined : (parseSize(text) ?? text));

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The settings with what was picked; undefined where that cannot be picked. */
export function pick(
  settings: GuildSettings,
  name: Pick,
  values: readonly string[],
): GuildSettings | undefined {
  if (values.length > 1 && !SEVERAL.has(name)) return undefined;
  return guildSettings.safeParse({ ...settings, ...PICKS[name](values) }).data;
}
