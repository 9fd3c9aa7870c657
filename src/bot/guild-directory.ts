import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { OverwriteType, PermissionFlagsBits, PermissionsBitField, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { classifyDiscordError } from '../delivery/classify-discord-error.ts';

/** How long each of two questions to Discord may take before an answer has to do without, in real milliseconds. */
const TIMEOUT_MS = 1_200;

/** Likewise, where nobody waits for it before the first answer. */
const CHANNEL_TIMEOUT_MS = 5_000;

const named = z.array(z.object({ id: z.string() }));
const bits = z.string().transform((text) => BigInt(text));

/** What Discord tells of a server's roles, a member and a channel, as far as it decides what the member may there. */
const rolesOfGuild = z.array(z.object({ id: z.string(), permissions: bits }));
const guildMember = z.object({ user: z.object({ id: z.string() }), roles: z.array(z.string()) });
const guildChannel = z.object({
  permission_overwrites: z
    .array(z.object({ id: z.string(), type: z.enum(OverwriteType), allow: bits, deny: bits }))
    .default([]),
});

const TO_POST = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;

/** What a server has, by its ids. */
export interface GuildIds {
  /** That the bot may view: Discord lists no others. Source: discord-api-docs#8454, since 16 November 2026. */
  channels: ReadonlySet<string>;
  /** Of the channels that were asked for by name, those that are no more. */
  gone: ReadonlySet<string>;
  roles: ReadonlySet<string>;
}

/** Of a channel that was taken as one of the server: whether it may well be there, where the bot cannot look. */
export const isHidden = ({ channels, gone }: GuildIds, channelId: string): boolean =>
  !channels.has(channelId) && !gone.has(channelId);

/** Asks Discord what a server has: nothing of it is cached. */
export type GuildDirectory = ReturnType<typeof createGuildDirectory>;

export function createGuildDirectory({ rest, log }: { rest: REST; log: Log }) {
  const idsAt = (route: `/${string}`) =>
    withTimeout(TIMEOUT_MS, async (signal) => {
      const listed = named.parse(await rest.get(route, { signal }));
      return new Set(listed.map(({ id }) => id));
    });

  /** Where Discord does not say so, it is not. Never rejects. */
  const isGone = (channelId: string): Promise<boolean> =>
    withTimeout(TIMEOUT_MS, (signal) => rest.get(Routes.channel(channelId), { signal })).then(
      () => false,
      (error) => classifyDiscordError(error).kind === 'channel-gone',
    );

  async function permissionsIn(guildId: string, channelId: string, signal: AbortSignal): Promise<bigint> {
    const read = (route: `/${string}`) => rest.get(route, { signal });
    const bot = z.object({ id: z.string() }).parse(await read(Routes.user()));
    const [ofRoles, ofMember, ofChannel] = await Promise.all([
      read(Routes.guildRoles(guildId)),
      read(Routes.guildMember(guildId, bot.id)),
      read(Routes.channel(channelId)),
    ]);
    return channelPermissions(guildId, {
      roles: rolesOfGuild.parse(ofRoles),
      member: guildMember.parse(ofMember),
      channel: guildChannel.parse(ofChannel),
    });
  }

  return {
    /** Whether the bot sees a channel and may post there; undefined where Discord does not say. Never rejects. */
    async mayPost(guildId: string, channelId: string): Promise<boolean | undefined> {
      try {
        const ask = (signal: AbortSignal) => permissionsIn(guildId, channelId, signal);
        const held = await withTimeout(CHANNEL_TIMEOUT_MS, ask);
        return (held & TO_POST) === TO_POST;
      } catch (error) {
        const about = { err: error, guild: guildId, channel: channelId };
        log.info(about, 'it is not known who may post in a channel');
        return classifyDiscordError(error).kind === 'temporary' ? undefined : false;
      }
    },

    /**
     * `named`: channels of which it matters whether they are gone or only hidden. Undefined where Discord does not say,
     * because the bot is not in that server or in time. Never rejects.
     */
    async idsOf(guildId: string, named: readonly string[] = []): Promise<GuildIds | undefined> {
      try {
        const [channels, roles] = await Promise.all([
          idsAt(Routes.guildChannels(guildId)),
          idsAt(Routes.guildRoles(guildId)),
        ]);
        const unlisted = named.filter((id) => !channels.has(id));
        const areGone = await Promise.all(unlisted.map(isGone));
        return { channels, gone: new Set(unlisted.filter((_, nth) => areGone[nth])), roles };
      } catch (error) {
        log.info({ err: error, guild: guildId }, 'Discord did not list the channels and roles of a server');
        return undefined;
      }
    },
  };
}

/** What a member may in a channel. Source: Discord's documentation, "Permissions", permission overwrites. */
function channelPermissions(
  guildId: string,
  {
    roles: all,
    member: { user, roles: held },
    channel: { permission_overwrites: overwrites },
  }: {
    roles: z.output<typeof rolesOfGuild>;
    member: z.output<typeof guildMember>;
    channel: z.output<typeof guildChannel>;
  },
): bigint {
  const granted = all
    .filter(({ id }) => id === guildId || held.includes(id))
    .reduce((sum, { permissions }) => sum | permissions, 0n);
  if ((granted & PermissionFlagsBits.Administrator) !== 0n) return PermissionsBitField.All;
  const layers = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && id !== guildId && held.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === user.id),
  ];
  return layers.reduce((before, layer) => {
    const denied = layer.reduce((sum, { deny }) => sum | deny, 0n);
    const allowed = layer.reduce((sum, { allow }) => sum | allow, 0n);
    return (before & ~denied) | allowed;
  }, granted);
}
