import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { parseBody } from '../rules/body.ts';
import { apiError, invalidFormBody, UnsupportedError } from '../rules/errors.ts';
import { guildPermissions, has, memberOf } from '../rules/permissions.ts';
import { serializeMember } from '../serialize/guild.ts';
import { serializeUserById } from '../serialize/user.ts';
import { compareIds, createdAt } from '../state/snowflakes.ts';
import type { Guild, Member } from '../state/state.ts';
import { accessibleGuild, administeredGuild, requireRank, requireRoleBelow } from './access.ts';
import { pageSize } from './page-size.ts';
import { formOf, noContent, type Services } from './routing.ts';

interface GuildRoute {
  Params: { guildId: string };
}
interface MemberRoute {
  Params: { guildId: string; userId: string };
}

/** Source: 'Guild', Modify Guild Member. Discord's description leaves this body out. */
const memberShape = z.object({
  nick: z.nullish(z.string().check(z.maxLength(32))),
  roles: z.nullish(z.array(z.string())),
  communication_disabled_until: z.nullish(z.iso.datetime({ offset: true })),
  mute: z.nullish(z.boolean()),
  deaf: z.nullish(z.boolean()),
  channel_id: z.nullish(z.string()),
});

/** Source: 'Guild', Modify Guild Member. */
const LONGEST_TIMEOUT_MS = 28 * 24 * 3_600_000;

/** What a bot does to members: names, roles, timeouts, kicks and bans. Source: 'Guild'. */
export function routeMembers(app: FastifyInstance, { context, messages }: Services): void {
  const { state, events, clock } = context;

  function found(guild: Guild, userId: string): Member {
    if (!state.users.has(userId)) throw apiError(Code.UnknownUser);
    const member = memberOf(guild, userId);
    if (!member) throw apiError(Code.UnknownMember);
    return member;
  }

  function change(guild: Guild, member: Member, changes: Partial<Member>) {
    Object.assign(member, changes);
    events.publish({ type: 'member-updated', guild, member });
    return serializeMember(state, member);
  }

  function remove(guild: Guild, member: Member): void {
    guild.members = guild.members.filter((other) => other !== member);
    events.publish({ type: 'member-removed', guild, member });
  }

  app.patch<MemberRoute>('/guilds/:guildId/members/:userId', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = accessibleGuild(state, params.guildId, botId);
    const member = found(guild, params.userId);
    const body = parseBody(memberShape, formOf(request).body);
    if ([body.mute, body.deaf, body.channel_id].some((voice) => voice !== undefined)) {
      throw new UnsupportedError('voice');
    }
    const need = (permission: bigint) => administeredGuild(state, guild.id, botId, permission);
    const changes: Partial<Member> = {};
    if (body.nick !== undefined) {
      need(P.ManageNicknames);
      changes.nick = body.nick || null;
    }
    if (body.roles) {
      need(P.ManageRoles);
      const wanted = [...new Set(body.roles)];
      for (const id of [...wanted, ...member.roles]) {
        if (!(wanted.includes(id) && member.roles.includes(id))) requireRoleBelow(guild, botId, id);
      }
      changes.roles = wanted;
    }
    if (body.communication_disabled_until !== undefined) {
      need(P.ModerateMembers);
      changes.timedOutUntil = timeoutOf(guild, member, body.communication_disabled_until);
    }
    if (member.userId !== botId && (changes.nick !== undefined || changes.timedOutUntil !== undefined)) {
      requireRank(guild, botId, member.userId);
    }
    return change(guild, member, changes);
  });

  function timeoutOf(guild: Guild, { userId }: Member, text: string | null): number | null {
    if (text === null) return null;
    if (has(guildPermissions(state, guild, userId), P.Administrator)) throw apiError(Code.MissingPermissions);
    const until = Date.parse(text);
    if (until - clock.now() <= LONGEST_TIMEOUT_MS) return until;
    throw invalidFormBody(
      ['communication_disabled_until'],
      'GUILD_MEMBER_TIMEOUT_TOO_LONG',
      'A timeout ends within 28 days.',
    );
  }

  app.patch<GuildRoute>('/guilds/:guildId/members/@me', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ChangeNickname);
    const { nick } = parseBody(memberShape, formOf(request).body);
    return change(guild, found(guild, botId), nick === undefined ? {} : { nick: nick || null });
  });

  const roleOf = '/guilds/:guildId/members/:userId/roles/:roleId';
  for (const method of ['PUT', 'DELETE'] as const) {
    app.route<{ Params: { guildId: string; userId: string; roleId: string } }>({
      method,
      url: roleOf,
      async handler({ params, applicationId: botId }, reply) {
        const guild = administeredGuild(state, params.guildId, botId, P.ManageRoles);
        const member = found(guild, params.userId);
        requireRoleBelow(guild, botId, params.roleId);
        const others = member.roles.filter((id) => id !== params.roleId);
        const roles = method === 'PUT' ? [...others, params.roleId] : others;
        if (roles.length !== member.roles.length) change(guild, member, { roles });
        return noContent(reply);
      },
    });
  }

  app.delete<MemberRoute>('/guilds/:guildId/members/:userId', async ({ params, applicationId }, reply) => {
    const guild = administeredGuild(state, params.guildId, applicationId, P.KickMembers);
    const member = found(guild, params.userId);
    requireRank(guild, applicationId, member.userId);
    remove(guild, member);
    return noContent(reply);
  });

  const serializeBan = ({ userId, reason }: Guild['bans'][number]) => ({
    reason,
    user: serializeUserById(state, userId),
  });
  const banOf = (guild: Guild, userId: string) => {
    const ban = guild.bans.find((known) => known.userId === userId);
    if (!ban) throw apiError(Code.UnknownBan);
    return ban;
  };

  app.get<GuildRoute & { Querystring: { limit?: string; after?: string } }>(
    '/guilds/:guildId/bans',
    async ({ params, query, applicationId }) => {
      const guild = administeredGuild(state, params.guildId, applicationId, P.BanMembers);
      return guild.bans
        .filter(({ userId }) => compareIds(userId, query.after ?? '0') > 0)
        .sort((a, b) => compareIds(a.userId, b.userId))
        .slice(0, pageSize(query.limit, { fallback: 1000, max: 1000 }))
        .map(serializeBan);
    },
  );
  app.get<MemberRoute>('/guilds/:guildId/bans/:userId', async ({ params, applicationId }) =>
    serializeBan(banOf(administeredGuild(state, params.guildId, applicationId, P.BanMembers), params.userId)),
  );
  app.put<MemberRoute>('/guilds/:guildId/bans/:userId', async (request, reply) => {
    const { params, applicationId: botId, headers } = request;
    const { userId } = params;
    const guild = administeredGuild(state, params.guildId, botId, P.BanMembers);
    if (!state.users.has(userId)) throw apiError(Code.UnknownUser);
    const body = parseBody(spec.BanUserFromGuildRequestSchema, formOf(request).body ?? {});
    const member = memberOf(guild, userId);
    if (member) requireRank(guild, botId, userId);
    const reason = headers['x-audit-log-reason'];
    const isNew = !guild.bans.some((known) => known.userId === userId);
    if (isNew) guild.bans.push({ userId, reason: reason ? decoded(String(reason)) : null });
    if (member) remove(guild, member);
    if (isNew) events.publish({ type: 'ban-added', guild, userId });
    const since = clock.now() - 1000 * (body.delete_message_seconds ?? 0);
    for (const message of state.messages.values()) {
      const isThere = state.channels.get(message.channelId)?.guildId === guild.id;
      if (isThere && message.authorId === userId && createdAt(message.id) > since) messages.remove(message);
    }
    return noContent(reply);
  });
  app.delete<MemberRoute>('/guilds/:guildId/bans/:userId', async ({ params, applicationId }, reply) => {
    const guild = administeredGuild(state, params.guildId, applicationId, P.BanMembers);
    const { userId } = banOf(guild, params.userId);
    guild.bans = guild.bans.filter((known) => known.userId !== userId);
    events.publish({ type: 'ban-removed', guild, userId });
    return noContent(reply);
  });
}

/** A header's text as libraries write it; as it is where they did not. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
