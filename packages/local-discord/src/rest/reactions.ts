import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { isEmoji } from '../rules/emojis.ts';
import { apiError } from '../rules/errors.ts';
import { requireOpen } from '../rules/threads.ts';
import { serializeUserById } from '../serialize/user.ts';
import { addReaction, removeReaction } from '../state/reactions.ts';
import { accessibleChannel, reachableMessage, requirePermissions } from './access.ts';
import { pageAfter } from './paging.ts';
import type { At, Services } from './routing.ts';

type Route = At<'channelId' | 'messageId' | 'emoji'>;

/** Source: 'Message', reactions. */
export function routeReactions(app: FastifyInstance, { context }: Services): void {
  const { state } = context;
  const path = '/channels/:channelId/messages/:messageId/reactions/:emoji';

  function target({ channelId, messageId }: Route['Params'], botId: string) {
    const place = accessibleChannel(state, channelId, botId, P.ReadMessageHistory);
    return { ...place, message: reachableMessage(state, channelId, messageId) };
  }

  /** The same, of a message that is to have other reactions. */
  function changed(...of: Parameters<typeof target>) {
    const found = target(...of);
    requireOpen(found.channel);
    return found;
  }

  app.put<Route>(`${path}/@me`, async ({ params, applicationId }) => {
    const { message, permissions } = changed(params, applicationId);
    const isNew = !message.reactions.some(({ emoji }) => emoji === params.emoji);
    if (isNew) requirePermissions(permissions, P.AddReactions);
    addReaction(context, message, params.emoji, applicationId);
  });
  app.delete<Route>(`${path}/@me`, async ({ params, applicationId }) => {
    removeReaction(context, changed(params, applicationId).message, params.emoji, applicationId);
  });
  app.delete<At<'channelId' | 'messageId' | 'emoji' | 'userId'>>(
    `${path}/:userId`,
    async ({ params, applicationId }) => {
      const { message, permissions } = changed(params, applicationId);
      if (params.userId !== applicationId) requirePermissions(permissions, P.ManageMessages);
      removeReaction(context, message, params.emoji, params.userId);
    },
  );
  app.get<At<'channelId' | 'messageId' | 'emoji', 'limit' | 'after'>>(
    path,
    async ({ params, query, applicationId }) => {
      const { message } = target(params, applicationId);
      if (!isEmoji(params.emoji)) throw apiError(Code.UnknownEmoji);
      const reaction = message.reactions.find(({ emoji }) => emoji === params.emoji);
      const users = (reaction?.userIds ?? []).map((userId) => ({ userId }));
      const page = pageAfter(users, query, { fallback: 25, max: 100 });
      return page.map(({ userId }) => serializeUserById(state, userId));
    },
  );
}
