import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { refusal } from '../rules/errors.ts';
import { memberOf } from '../rules/permissions.ts';
import { wireGuild, wireMember } from '../wire/guild.ts';
import { wireUser, wireUserById } from '../wire/user.ts';
import { accessibleGuild } from './access.ts';
import type { Parts } from './api.ts';

/** Source: 'Gateway', Get Gateway Bot; 'User'; 'Application'; 'Guild'. */
export function routeUsersAndGuilds(app: FastifyInstance, { core, gateway, gatewayUrl }: Parts): void {
  const { state } = core;

  app.get('/gateway', { config: { auth: 'token' } }, async () => ({ url: gatewayUrl() }));
  app.get('/gateway/bot', async () => ({
    url: gatewayUrl(),
    shards: 1,
    session_start_limit: gateway.startLimit(),
  }));

  app.get('/users/@me', async ({ applicationId }) => wireUserById(state, applicationId));
  app.get<{ Params: { userId: string } }>('/users/:userId', async ({ params }) => {
    const user = state.users.get(params.userId);
    if (!user) throw refusal(Code.UnknownUser);
    return wireUser(user);
  });

  app.get('/applications/@me', async ({ applicationId }) => {
    const application = state.applications.get(applicationId);
    const guilds = [...state.guilds.values()].filter((guild) => memberOf(guild, applicationId));
    return {
      id: applicationId,
      name: application?.name,
      description: application?.description,
      icon: null,
      bot: wireUserById(state, applicationId),
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '0'.repeat(64),
      flags: 0,
      approximate_guild_count: guilds.length,
    };
  });

  app.get<{ Params: { guildId: string } }>('/guilds/:guildId', async ({ params, applicationId }) =>
    wireGuild(accessibleGuild(state, params.guildId, applicationId)),
  );
  app.get<{ Params: { guildId: string; userId: string } }>(
    '/guilds/:guildId/members/:userId',
    async ({ params, applicationId }) => {
      const guild = accessibleGuild(state, params.guildId, applicationId);
      if (!state.users.has(params.userId)) throw refusal(Code.UnknownUser);
      const member = memberOf(guild, params.userId);
      if (!member) throw refusal(Code.UnknownMember);
      return wireMember(state, member);
    },
  );
}
