import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { apiError } from '../rules/errors.ts';
import { ALL_PERMISSIONS, guildPermissions, memberOf } from '../rules/permissions.ts';
import { memberCounts, serializeGuild } from '../serialize/guild.ts';
import { serializeUser, serializeUserById } from '../serialize/user.ts';
import { compareIds } from '../state/snowflakes.ts';
import { pageSize } from './paging.ts';
import type { At, Services } from './routing.ts';

/** The most servers that one page lists. */
const PAGE = 200;

/**
 * How many a page of `limit` lists where `there` are left: one less on a full page that others follow. Source:
 * discord/discord-api-docs#5886.
 */
const listedOf = (limit: number, there: number): number =>
  limit === PAGE && there > PAGE ? PAGE - 1 : limit;

/** Source: 'Gateway', Get Gateway Bot; 'User'; 'Application'; 'OAuth2', Get Current Bot Application Information. */
export function routeUsers(app: FastifyInstance, { context, gateway }: Services): void {
  const { state } = context;
  const guildsOf = (botId: string) => [...state.guilds.values()].filter((guild) => memberOf(guild, botId));

  app.get('/gateway', { config: { auth: 'token' } }, async () => ({ url: gateway.information().url }));
  app.get('/gateway/bot', async () => gateway.information());

  app.get('/users/@me', async ({ applicationId }) => serializeUserById(state, applicationId));
  app.get<At<'userId'>>('/users/:userId', async ({ params }) => {
    const user = state.users.get(params.userId);
    if (!user) throw apiError(Code.UnknownUser);
    return serializeUser(user);
  });
  app.get<At<never, 'before' | 'after' | 'limit' | 'with_counts'>>(
    '/users/@me/guilds',
    async ({ applicationId, query }) => {
      const { before, after, with_counts } = query;
      const limit = pageSize(query.limit, { fallback: PAGE, max: PAGE });
      const guilds = guildsOf(applicationId)
        .filter(({ id }) => !before || compareIds(id, before) < 0)
        .filter(({ id }) => !after || compareIds(id, after) > 0)
        .sort((a, b) => compareIds(a.id, b.id));
      const count = listedOf(limit, guilds.length);
      return (before ? guilds.slice(-count) : guilds.slice(0, count)).map((guild) => {
        const { id, name, icon, banner, features, owner_id } = serializeGuild(guild);
        const owner = owner_id === applicationId;
        const permissions = String(owner ? ALL_PERMISSIONS : guildPermissions(state, guild, applicationId));
        const counts = with_counts === 'true' ? memberCounts(guild) : {};
        return { id, name, icon, banner, owner, permissions, features, ...counts };
      });
    },
  );

  const application = async ({ applicationId }: { applicationId: string }) => {
    const known = state.applications.get(applicationId);
    return {
      id: applicationId,
      name: known?.name,
      description: known?.description,
      icon: null,
      bot: serializeUserById(state, applicationId),
      owner: serializeUserById(state, known?.ownerId ?? ''),
      team: null,
      install_params: { scopes: ['bot', 'applications.commands'], permissions: '0' },
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '0'.repeat(64),
      flags: 0,
      approximate_guild_count: guildsOf(applicationId).length,
    };
  };
  app.get('/applications/@me', application);
  app.get('/oauth2/applications/@me', application);
}
