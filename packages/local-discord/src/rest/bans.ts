import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { parseBody } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { memberOf } from '../rules/permissions.ts';
import { serializeUserById } from '../serialize/user.ts';
import { removeMember } from '../state/members.ts';
import { createdAt } from '../state/snowflakes.ts';
import type { Guild } from '../state/state.ts';
import { administeredGuild, requireRank } from './access.ts';
import { pageAfter } from './paging.ts';
import { type At, formOf, type MemberRoute, type Services } from './routing.ts';

/** Who may not come back to a server. Source: 'Guild', bans. */
export function routeBans(app: FastifyInstance, { context, messages }: Services): void {
  const { state, events, clock } = context;

  const serializeBan = ({ userId, reason }: Guild['bans'][number]) => ({
    reason,
    user: serializeUserById(state, userId),
  });
  const banOf = (guild: Guild, userId: string) => {
    const ban = guild.bans.find((known) => known.userId === userId);
    if (!ban) throw apiError(Code.UnknownBan);
    return ban;
  };

  app.get<At<'guildId', 'limit' | 'after'>>(
    '/guilds/:guildId/bans',
    async ({ params, query, applicationId }) => {
      const { bans } = administeredGuild(state, params.guildId, applicationId, P.BanMembers);
      return pageAfter(bans, query, { fallback: 1000, max: 1000 }).map(serializeBan);
    },
  );
  app.get<MemberRoute>('/guilds/:guildId/bans/:userId', async ({ params, applicationId }) =>
    serializeBan(banOf(administeredGuild(state, params.guildId, applicationId, P.BanMembers), params.userId)),
  );
  app.put<MemberRoute>('/guilds/:guildId/bans/:userId', async (request) => {
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
    if (member) removeMember(context, guild, member);
    if (isNew) events.publish({ type: 'ban-added', guild, userId });
    const since = clock.now() - 1000 * (body.delete_message_seconds ?? 0);
    for (const message of state.messages.values()) {
      const isThere = state.channels.get(message.channelId)?.guildId === guild.id;
      if (isThere && message.authorId === userId && createdAt(message.id) > since) messages.remove(message);
    }
  });
  app.delete<MemberRoute>('/guilds/:guildId/bans/:userId', async ({ params, applicationId }) => {
    const guild = administeredGuild(state, params.guildId, applicationId, P.BanMembers);
    const { userId } = banOf(guild, params.userId);
    guild.bans = guild.bans.filter((known) => known.userId !== userId);
    events.publish({ type: 'ban-removed', guild, userId });
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
