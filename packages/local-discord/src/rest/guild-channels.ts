import * as spec from 'discord-api-spec/zod';
import {
  ChannelType,
  RESTJSONErrorCodes as Code,
  OverwriteType,
  PermissionFlagsBits as P,
  type RESTPatchAPIChannelJSONBody,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { numeric, parseBody, permissionsOf } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { guildPermissions, has, sees } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { isThread, newChannel, setOverwrite } from '../state/channels.ts';
import { removeChannel } from '../state/remove-channel.ts';
import type { Channel, Overwrite } from '../state/state.ts';
import {
  accessibleChannel,
  accessibleGuild,
  administeredGuild,
  requireInGuild,
  requirePermissions,
} from './access.ts';
import { type At, type ChannelRoute, formOf, type GuildRoute, type Services } from './routing.ts';
import { editThread } from './threads.ts';

type OverwriteRoute = At<'channelId' | 'overwriteId'>;

type ForumTag = NonNullable<RESTPatchAPIChannelJSONBody['available_tags']>[number];

/** Fields of a channel that the local Discord has in a form of its own. */
const OWN = ['type', 'name', 'topic', 'nsfw', 'parent_id', 'permission_overwrites'];

/** Kinds whose names are written small and without blanks, however they were given. */
const PLAIN_NAMES: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
]);

/** Source: 'Guild', Modify Guild Channel Positions. */
const positionsShape = z.array(
  z.object({
    id: z.string(),
    position: z.nullish(z.int().check(z.minimum(0))),
    parent_id: z.nullish(z.string()),
  }),
);

/**
 * A server's channels of every kind, and what a bot does to them. Source: 'Guild', Create Guild Channel; 'Channel'.
 */
export function routeGuildChannels(app: FastifyInstance, { context, messages }: Services): void {
  const { state, events, snowflakes } = context;

  /** Throws 50035 where no channel of this server stands below this one. */
  function requireCategory(guildId: string, parentId: string | null | undefined): void {
    const category = parentId ? state.channels.get(parentId) : null;
    if (category === null) return;
    if (category?.type === ChannelType.GuildCategory && category.guildId === guildId) return;
    throw invalidFormBody(['parent_id'], 'CHANNEL_PARENT_INVALID');
  }

  /** What the body of a request makes of a channel of this server and kind. */
  function fieldsOf(
    { guildId, type }: { guildId: string; type: ChannelType },
    botId: string,
    raw: unknown,
    schema: typeof spec.UpdateGuildChannelRequestPartialSchema,
  ): Partial<Channel> {
    const { permission_overwrites: overwrites, ...rest } = Object(raw);
    const list: unknown[] = Array.isArray(overwrites) ? overwrites : [];
    const numbered = list.map((one) => numeric(numeric(one, 'allow'), 'deny'));
    const checked = Array.isArray(overwrites) ? numbered : overwrites;
    const body = parseBody(schema, { ...rest, ...(overwrites && { permission_overwrites: checked }) });
    requireCategory(guildId, body.parent_id);
    const { available_tags: tags, ...others } = body;
    const settings = Object.entries(others).filter(([key, value]) => !OWN.includes(key) && value != null);
    return {
      ...(body.name && { name: nameOf(body.name, type) }),
      ...(body.topic !== undefined && { topic: body.topic }),
      ...(typeof body.nsfw === 'boolean' && { nsfw: body.nsfw }),
      ...(body.parent_id !== undefined && { parentId: body.parent_id }),
      ...(overwrites && { overwrites: list.map((one) => overwriteOf(guildId, botId, one)) }),
      settings: { ...Object.fromEntries(settings), ...(tags && { available_tags: tags.flatMap(tagOf) }) },
    };
  }

  const nameOf = (name: string, type: ChannelType): string =>
    PLAIN_NAMES.has(type) ? name.toLowerCase().trim().replace(/\s+/g, '-') : name;

  /** Source: 'Channel', forum tag object. A tag that was there keeps its id. */
  function tagOf(tag: ForumTag | null): object[] {
    if (!tag) return [];
    const { id, name, moderated, emoji_id = null, emoji_name = null } = tag;
    return [{ id: id ?? snowflakes.next(), name, moderated: moderated ?? false, emoji_id, emoji_name }];
  }

  /** A bot allows and denies nothing that it may not do itself. */
  function overwriteOf(guildId: string, botId: string, raw: unknown): Overwrite {
    const { id, type, allow, deny } = Object(raw);
    const guild = state.guilds.get(guildId);
    const overwrite: Overwrite = {
      id: String(id),
      kind: Number(type ?? OverwriteType.Role) === OverwriteType.Role ? 'role' : 'member',
      allow: permissionsOf(allow, ['allow']),
      deny: permissionsOf(deny, ['deny']),
    };
    const asked = (overwrite.allow ?? 0n) | (overwrite.deny ?? 0n);
    if (!guild || !has(guildPermissions(state, guild, botId), asked)) throw apiError(Code.MissingPermissions);
    return overwrite;
  }

  /**
   * Whether the bot is told of a channel when it asks for all of them: of a category also for what it may view in it.
   * Source: 'Channel', obfuscated channels, which holds since 16 November 2026; discord-api-docs#8454.
   */
  const isListed = (channel: Channel, botId: string): boolean =>
    sees(state, channel, botId) ||
    [...state.channels.values()].some(
      (child) => child.parentId === channel.id && !isThread(child) && sees(state, child, botId),
    );

  app.get<GuildRoute>('/guilds/:guildId/channels', async ({ params, applicationId: botId }) => {
    const guild = accessibleGuild(state, params.guildId, botId);
    return [...state.channels.values()]
      .filter((channel) => channel.guildId === guild.id && !isThread(channel) && isListed(channel, botId))
      .map((channel) => serializeChannel(state, channel, botId));
  });

  app.post<GuildRoute>('/guilds/:guildId/channels', async (request, reply) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ManageChannels);
    const { body } = formOf(request);
    const type: ChannelType = Object(body).type ?? ChannelType.GuildText;
    const fields = fieldsOf({ guildId: guild.id, type }, botId, body, spec.CreateGuildChannelRequestSchema);
    const category = fields.parentId ? state.channels.get(fields.parentId) : undefined;
    const channel = newChannel({
      id: snowflakes.next(),
      type,
      guildId: guild.id,
      // Source: 'Permissions', permission syncing: a new channel begins with the overwrites of its category.
      ...(category && { overwrites: category.overwrites }),
      ...fields,
    });
    state.channels.set(channel.id, channel);
    events.publish({ type: 'channel-created', channel });
    reply.code(201);
    return serializeChannel(state, channel, botId);
  });

  app.patch<GuildRoute>('/guilds/:guildId/channels', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ManageChannels);
    const moves = parseBody(positionsShape, formOf(request).body);
    for (const { parent_id } of moves) requireCategory(guild.id, parent_id);
    for (const { id, position, parent_id: parentId } of moves) {
      const channel = state.channels.get(id);
      if (channel?.guildId !== guild.id) throw apiError(Code.UnknownChannel);
      if (typeof position === 'number') channel.settings = { ...channel.settings, position };
      if (parentId !== undefined) channel.parentId = parentId;
      events.publish({ type: 'channel-updated', channel });
    }
  });

  app.patch<ChannelRoute>('/channels/:channelId', async (request) => {
    const { params, applicationId: botId } = request;
    const { channel, permissions } = accessibleChannel(state, params.channelId, botId);
    const { body } = formOf(request);
    if (isThread(channel)) editThread(context, channel, { botId, permissions, body });
    else {
      requireInGuild(channel, permissions, P.ManageChannels);
      if (Object(body).permission_overwrites) requirePermissions(permissions, P.ManageRoles);
      const { settings, ...fields } = fieldsOf(
        { guildId: channel.guildId ?? '', type: channel.type },
        botId,
        body,
        spec.UpdateGuildChannelRequestPartialSchema,
      );
      Object.assign(channel, fields, { settings: { ...channel.settings, ...settings } });
    }
    events.publish({ type: 'channel-updated', channel });
    return serializeChannel(state, channel, botId);
  });

  app.delete<ChannelRoute>('/channels/:channelId', async ({ params, applicationId: botId }) => {
    const { channel, permissions } = accessibleChannel(state, params.channelId, botId);
    if (isThread(channel)) requirePermissions(permissions, P.ManageThreads);
    else requireInGuild(channel, permissions, P.ManageChannels);
    const answer = serializeChannel(state, channel, botId);
    removeChannel(context, messages, channel);
    return answer;
  });

  app.put<OverwriteRoute>('/channels/:channelId/permissions/:overwriteId', async (request) => {
    const { params, applicationId: botId } = request;
    const { channel } = accessibleChannel(state, params.channelId, botId, P.ManageRoles);
    const given = { ...Object(formOf(request).body), id: params.overwriteId };
    parseBody(spec.ChannelPermissionOverwriteRequestSchema, numeric(numeric(given, 'allow'), 'deny'));
    setOverwrite(context, channel, overwriteOf(channel.guildId ?? '', botId, given));
  });
  app.delete<OverwriteRoute>(
    '/channels/:channelId/permissions/:overwriteId',
    async ({ params, applicationId }) => {
      const { channel } = accessibleChannel(state, params.channelId, applicationId, P.ManageRoles);
      const others = channel.overwrites.filter(({ id }) => id !== params.overwriteId);
      if (others.length === channel.overwrites.length) throw apiError(Code.UnknownPermissionOverwrite);
      channel.overwrites = others;
      events.publish({ type: 'channel-updated', channel });
    },
  );
}
