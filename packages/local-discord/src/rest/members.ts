import { DAY_MS } from '@darkroom/time';
import {
  RESTJSONErrorCodes as Code,
  GatewayIntentBits,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { parseBody } from '../rules/body.ts';
import { apiError, UnsupportedError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { guildPermissions, has } from '../rules/permissions.ts';
import { serializeMember } from '../serialize/guild.ts';
import { changeMember, findMembers, removeMember } from '../state/members.ts';
import type { Guild, Member } from '../state/state.ts';
import { accessibleGuild, administeredGuild, knownMember, requireRank, requireRoleBelow } from './access.ts';
import { pageAfter, pageSize } from './paging.ts';
import { type At, formOf, type GuildRoute, type MemberRoute, type Services } from './routing.ts';

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
const LONGEST_TIMEOUT_MS = 28 * DAY_MS;

/** A server's members, and what a bot does to them: names, roles, timeouts, kicks. Source: 'Guild'. */
export function routeMembers(app: FastifyInstance, { context }: Services): void {
  const { state, clock } = context;

  const serialize = (member: Member) => serializeMember(state, member);

  app.get<At<'guildId', 'limit' | 'after'>>(
    '/guilds/:guildId/members',
    async ({ params, query, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      const intents = state.applications.get(applicationId)?.privilegedIntents ?? 0;
      if ((intents & GatewayIntentBits.GuildMembers) === 0) throw apiError(Code.MissingAccess);
      return pageAfter(guild.members, query, { fallback: 1, max: 1000 }).map(serialize);
    },
  );
  app.get<At<'guildId', 'limit' | 'query'>>(
    '/guilds/:guildId/members/search',
    async ({ params, query, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      const limit = pageSize(query.limit, { fallback: 1, max: 1000 });
      if (!query.query) throw invalidFormBody(['query'], 'BASE_TYPE_REQUIRED');
      return findMembers(state, guild, query.query).slice(0, limit).map(serialize);
    },
  );
  app.get<MemberRoute>('/guilds/:guildId/members/:userId', async ({ params, applicationId }) =>
    serialize(knownMember(state, accessibleGuild(state, params.guildId, applicationId), params.userId)),
  );

  app.patch<MemberRoute>('/guilds/:guildId/members/:userId', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = accessibleGuild(state, params.guildId, botId);
    const member = knownMember(state, guild, params.userId);
    const body = parseBody(memberShape, formOf(request).body);
    if ([body.mute, body.deaf, body.channel_id].some((voice) => voice !== undefined)) {
      throw new UnsupportedError({ feature: 'voice' });
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
    changeMember(context, guild, member, changes);
    return serialize(member);
  });

  function timeoutOf(guild: Guild, { userId }: Member, text: string | null): number | null {
    if (text === null) return null;
    if (has(guildPermissions(state, guild, userId), P.Administrator)) throw apiError(Code.MissingPermissions);
    const until = Date.parse(text);
    if (until - clock.now() <= LONGEST_TIMEOUT_MS) return until;
    throw invalidFormBody(['communication_disabled_until'], 'GUILD_MEMBER_TIMEOUT_TOO_LONG');
  }

  app.patch<GuildRoute>('/guilds/:guildId/members/@me', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ChangeNickname);
    const { nick } = parseBody(memberShape, formOf(request).body);
    const member = knownMember(state, guild, botId);
    changeMember(context, guild, member, nick === undefined ? {} : { nick: nick || null });
    return serialize(member);
  });

  const roleOf = '/guilds/:guildId/members/:userId/roles/:roleId';
  for (const method of ['PUT', 'DELETE'] as const) {
    app.route<At<'guildId' | 'userId' | 'roleId'>>({
      method,
      url: roleOf,
      async handler({ params, applicationId: botId }) {
        const guild = administeredGuild(state, params.guildId, botId, P.ManageRoles);
        const member = knownMember(state, guild, params.userId);
        requireRoleBelow(guild, botId, params.roleId);
        const others = member.roles.filter((id) => id !== params.roleId);
        const roles = method === 'PUT' ? [...others, params.roleId] : others;
        if (roles.length !== member.roles.length) changeMember(context, guild, member, { roles });
      },
    });
  }

  app.delete<MemberRoute>('/guilds/:guildId/members/:userId', async ({ params, applicationId }) => {
    const guild = administeredGuild(state, params.guildId, applicationId, P.KickMembers);
    const member = knownMember(state, guild, params.userId);
    requireRank(guild, applicationId, member.userId);
    removeMember(context, guild, member);
  });
}
