import type { FastifyInstance } from 'fastify';
import { memberCounts, serializeGuild } from '../serialize/guild.ts';
import { accessibleGuild } from './access.ts';
import type { At, Services } from './routing.ts';

/** Source: 'Guild', Get Guild. */
export function routeGuilds(app: FastifyInstance, { context }: Services): void {
  app.get<At<'guildId', 'with_counts'>>('/guilds/:guildId', async ({ params, query, applicationId }) => {
    const guild = accessibleGuild(context.state, params.guildId, applicationId);
    return { ...serializeGuild(guild), ...(query.with_counts === 'true' && memberCounts(guild)) };
  });
}
