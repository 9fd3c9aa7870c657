import { LIMITS, workflowName } from '@darkroom/image-api/contract';
import type { Log } from '@darkroom/process';
import { createOneByOne } from '@darkroom/time';
import { z } from 'zod';
import { limitSet } from '../limits/limit-set.ts';
import type { Store } from '../storage/store.ts';

const snowflake = z.string().regex(/^\d{17,20}$/);
/** As many as one of Discord's select menus can show. */
const ids = z.array(snowflake).max(25);
const size = z.object({
  width: z.int().min(LIMITS.width.min).max(LIMITS.width.max),
  height: z.int().min(LIMITS.height.min).max(LIMITS.height.max),
});

/**
 * What happens to a picture that the image service has flagged, where the channel is not age-restricted: shown like
 * any other, behind a spoiler, or to its member only.
 */
export const FLAGGED = ['show', 'spoiler', 'private'] as const;

export const LANGUAGES = ['en', 'de'] as const;

/** How many blocked words a server may have, and how long each may be. */
export const BLOCKED_WORDS = { most: 200, characters: 60 } as const;

/** What whoever manages a server has decided for it. What is left out is not restricted, or up to each member. */
export const guildSettings = z.object({
  /** No new pictures. */
  paused: z.boolean().default(false),
  /** Where pictures may be asked for; everywhere where it is empty. */
  channels: ids.default([]),
  /** Who may ask for them, by any of these roles; everybody where it is empty. */
  roles: ids.default([]),
  /** Whether members may bring pictures of their own, by any of these roles, in these channels; as the two above. */
  ownPictures: z.boolean().default(true),
  ownPictureChannels: ids.default([]),
  ownPictureRoles: ids.default([]),
  /** Which workflows may be asked for; all that the service has where it is empty. */
  workflows: z.array(workflowName).max(25).default([]),
  /** What counts where a member does not say. */
  defaultWorkflow: workflowName.optional(),
  defaultSize: size.optional(),
  privateByDefault: z.boolean().default(false),
  /** Pictures may have no more pixels than one of this size. */
  largestSize: size.optional(),
  mostSteps: z.int().min(LIMITS.steps.min).max(LIMITS.steps.max).optional(),
  /** What a member, and the server as a whole, may ask for here. */
  limits: limitSet.prefault({}),
  /** Plain words, in which `*` stands for any letters. */
  blockedWords: z.array(z.string().min(1).max(BLOCKED_WORDS.characters)).max(BLOCKED_WORDS.most).default([]),
  flagged: z.enum(FLAGGED).default('spoiler'),
  /** Whether members who have not decided it are told that their picture is there; `slow`: where it took long. */
  notify: z.enum(['always', 'slow', 'never']).default('slow'),
  reportChannelId: snowflake.optional(),
  logChannelId: snowflake.optional(),
  /** For what everybody in the server reads; that of each member unless given. */
  locale: z.enum(LANGUAGES).optional(),
});
export type GuildSettings = z.output<typeof guildSettings>;

/** The settings that name channels or roles of the server, by their ids. */
export const ID_SETTINGS = {
  channels: 'channels',
  roles: 'roles',
  ownPictureChannels: 'channels',
  ownPictureRoles: 'roles',
  logChannelId: 'channels',
  reportChannelId: 'channels',
} as const satisfies Partial<Record<keyof GuildSettings, 'channels' | 'roles'>>;
export type IdSetting = keyof typeof ID_SETTINGS;

export const isIdSetting = (name: string): name is IdSetting => Object.hasOwn(ID_SETTINGS, name);

/** The ids that a setting names. */
export const idsIn = (settings: GuildSettings, name: IdSetting): string[] => [settings[name] ?? []].flat();

/** Every channel that any of the settings names. */
export const channelsIn = (settings: GuildSettings): string[] =>
  Object.keys(ID_SETTINGS)
    .filter(isIdSetting)
    .filter((name) => ID_SETTINGS[name] === 'channels')
    .flatMap((name) => idsIn(settings, name));

/** How a flagged picture is hidden; undefined where it is shown like any other, as in an age-restricted channel. */
export const hidingOf = (
  { flagged }: Pick<GuildSettings, 'flagged'>,
  ageRestricted: boolean,
): 'spoiler' | 'private' | undefined => (ageRestricted || flagged === 'show' ? undefined : flagged);

/** Of a server where nobody has changed anything. */
const DEFAULT_GUILD_SETTINGS: GuildSettings = guildSettings.parse({});

/**
 * What counts where a row cannot be read: nobody knows what it forbade, so there are no pictures until somebody
 * decides anew.
 */
export const UNREADABLE_SETTINGS: GuildSettings = { ...DEFAULT_GUILD_SETTINGS, paused: true };

export type GuildSettingsStore = ReturnType<typeof createGuildSettings>;

export function createGuildSettings({ store, log }: { store: Store; log: Log }) {
  const name = 'guild-settings';
  const guilds = store.collection(
    name,
    guildSettings.catch(() => UNREADABLE_SETTINGS),
  );
  const asTheyAre = store.collection(name, z.unknown());
  const setAside = store.collection('set-aside', z.unknown());
  const changing = createOneByOne<string>();

  async function read(guildId: string): Promise<GuildSettings> {
    const settings = (await guilds.get(guildId)) ?? DEFAULT_GUILD_SETTINGS;
    if (settings === UNREADABLE_SETTINGS) {
      log.error(
        { collection: name, id: guildId },
        'the settings of a server cannot be read: it gets no pictures until they are set again in /settings panel',
      );
    }
    return settings;
  }

  return {
    /**
     * The defaults in direct messages (`null`), and where nothing was changed; `UNREADABLE_SETTINGS` itself for a
     * damaged row.
     */
    of: async (guildId: string | null): Promise<GuildSettings> =>
      guildId === null ? DEFAULT_GUILD_SETTINGS : read(guildId),

    /**
     * Writes `change` of what stands there, and resolves with both. A damaged row is kept as it is in `set-aside`. A
     * server's interactions come to one process: in it, one change after the other.
     */
    change: (
      guildId: string,
      change: (settings: GuildSettings) => GuildSettings,
    ): Promise<{ before: GuildSettings; after: GuildSettings }> =>
      changing.hold(guildId, async () => {
        const before = await read(guildId);
        const after = guildSettings.parse(change(before));
        if (before === UNREADABLE_SETTINGS) {
          await setAside.set(guilds.key(guildId), await asTheyAre.get(guildId));
        }
        await guilds.set(guildId, after);
        return { before, after };
      }),

    /** The servers in which somebody has changed something. */
    guildIds: (): Promise<string[]> => guilds.ids(),

    purgeGuild: (guildId: string): Promise<void> => guilds.delete(guildId),
  };
}
