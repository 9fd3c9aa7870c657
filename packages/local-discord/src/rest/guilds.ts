import { RESTJSONErrorCodes as Code, GatewayIntentBits } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { apiError, invalidFormBody } from '../rules/errors.ts';
import { memberOf } from '../rules/permissions.ts';
import { serializeChannel } from '../serialize/channel.ts';
import { memberCounts, serializeGuild, serializeMember, serializeRole } from '../serialize/guild.ts';
import { isThread } from '../state/channels.ts';
import { findMembers } from '../state/members.ts';
import { compareIds } from '../state/snowflakes.ts';
import { accessibleGuild } from './access.ts';
import { pageSize } from './page-size.ts';
import type { Services } from './routing.ts';

interface Route {
  Params: { guildId: string };
}
interface RoleRoute {
  Params: { guildId: string; roleId: string };
}
interface MemberRoute {
  Params: { guildId: string; userId: string };
}

/** What a bot reads of a server: roles, channels and members. Source: 'Guild'. */
export function routeGuilds(app: FastifyInstance, { context }: Services): void {
  const { state } = context;

  app.get<Route & { Querystring: { with_counts?: string } }>(
    '/guilds/:guildId',
    async ({ params, query, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      return { ...serializeGuild(guild), ...(query.with_counts === 'true' && memberCounts(guild)) };
    },
  );

  app.get<Route>('/guilds/:guildId/roles', async ({ params, applicationId }) =>
    accessibleGuild(state, params.guildId, applicationId).roles.map(serializeRole),
  );
  app.get<RoleRoute>('/guilds/:guildId/roles/:roleId', async ({ params, applicationId }) => {
    const { roles } = accessibleGuild(state, params.guildId, applicationId);
    const found = roles.map(serializeRole).find(({ id }) => id === params.roleId);
    if (!found) throw apiError(Code.UnknownRole);
    return found;
  });

  app.get<Route>('/guilds/:guildId/channels', async ({ params, applicationId }) => {
    const guild = accessibleGuild(state, params.guildId, applicationId);
    return [...state.channels.values()]
      .filter((channel) => channel.guildId === guild.id && !isThread(channel))
      .map((channel) => serializeChannel(state, channel, applicationId));
  });

  app.get<Route & { Querystring: { limit?: string; after?: string } }>(
    '/guilds/:guildId/members',
    async ({ params, query, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      const intents = state.applications.get(applicationId)?.privilegedIntents ?? 0;
      if ((intents & GatewayIntentBits.GuildMembers) === 0) throw apiError(Code.MissingAccess);
      const limit = pageSize(query.limit, { fallback: 1, max: 1000 });
      return guild.members
        .filter(({ userId }) => compareIds(userId, query.after ?? '0') > 0)
        .sort((a, b) => compareIds(a.userId, b.userId))
        .slice(0, limit)
        .map((member) => serializeMember(state, member));
    },
  );
  app.get<Route & { Querystring: { limit?: string; query?: string } }>(
    '/guilds/:guildId/members/search',
    async ({ params, query, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      const limit = pageSize(query.limit, { fallback: 1, max: 1000 });
      if (!query.query) throw invalidFormBody(['query'], 'BASE_TYPE_REQUIRED', 'This field is required');
      return findMembers(state, guild, query.query)
        .slice(0, limit)
        .map((member) => serializeMember(state, member));
    },
  );
  app.get<MemberRoute>('/guilds/:guildId/members/:userId', async ({ params, applicationId }) => {
    const guild = accessibleGuild(state, params.guildId, applicationId);
    if (!state.users.has(params.userId)) throw apiError(Code.UnknownUser);
    const member = memberOf(guild, params.userId);
    if (!member) throw apiError(Code.UnknownMember);
    return serializeMember(state, member);
  });
}
