import * as spec from 'discord-api-spec/zod';
import {
  type APIWebhook,
  ChannelType,
  RESTJSONErrorCodes as Code,
  MessageType,
  PermissionFlagsBits as P,
  WebhookType,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { parseBody } from '../rules/body.ts';
import { isForum } from '../rules/channel-kinds.ts';
import { apiError, UnsupportedError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { serializeUserById } from '../serialize/user.ts';
import { isThread } from '../state/channels.ts';
import type { Channel, Message, Webhook } from '../state/state.ts';
import { accessibleChannel, administeredGuild, requirePermissions } from './access.ts';
import { type At, type ChannelRoute, formOf, type GuildRoute, type Services } from './routing.ts';

type WebhookRoute = At<'webhookId'>;
export type TokenRoute = At<'webhookId' | 'token', 'wait' | 'thread_id'>;

/** Source: 'Webhook', Create Webhook; the number in one channel from error 30007. */
const name = z.string().check(z.minLength(1), z.maxLength(80));
const avatar = z.nullish(z.string());
const createShape = z.object({ name, avatar });
const changeShape = z.object({ name: z.optional(name), avatar, channel_id: z.nullish(z.string()) });
const MAX_IN_CHANNEL = 15;
const FORBIDDEN_IN_NAMES = ['clyde', 'discord'];

const WITHOUT_WEBHOOKS: ReadonlySet<ChannelType> = new Set([
  ChannelType.DM,
  ChannelType.GroupDM,
  ChannelType.GuildCategory,
]);

/** Webhooks of channels: who has the token writes there, under any name. Source: 'Webhook'. */
export function createChannelWebhooks({ context, messages }: Services) {
  const { state, links, events } = context;

  /**
   * The webhook with this id; none where it is an application's, whose interactions have tokens. Throws 10015 or
   * 50027.
   */
  function withToken({ webhookId, token }: TokenRoute['Params']): Webhook | undefined {
    const webhook = state.webhooks.get(webhookId);
    if (!webhook && !state.applications.has(webhookId)) throw apiError(Code.UnknownWebhook);
    if (webhook && links.webhookToken(webhook.id) !== token) throw apiError(Code.InvalidWebhookToken);
    return webhook;
  }

  /** Where a webhook writes: its channel, or one of its threads. Throws 10003. */
  function place({ channelId }: Webhook, threadId: string | undefined): Channel {
    const channel = state.channels.get(threadId ?? channelId);
    const isOwn = channel?.id === channelId || (channel?.parentId === channelId && isThread(channel));
    if (!channel || !isOwn) throw apiError(Code.UnknownChannel);
    return channel;
  }

  return {
    withToken,

    /** A message that this webhook has written. Throws 10008. */
    message(webhook: Webhook, messageId: string, threadId: string | undefined) {
      const channel = place(webhook, threadId);
      const message = state.messages.get(messageId);
      if (message?.authorId !== webhook.id || message.channelId !== channel.id) {
        throw apiError(Code.UnknownMessage);
      }
      return { channel, message };
    },

    async execute(webhook: Webhook, request: FastifyRequest<TokenRoute>): Promise<Message> {
      const channel = place(webhook, request.query.thread_id);
      const { body: raw, files } = formOf(request);
      const body = parseBody(spec.IncomingWebhookRequestPartialSchema, raw);
      if (body.thread_name) throw new UnsupportedError({ feature: 'posts that a webhook opens' });
      if (isForum(channel)) {
        throw apiError(Code.WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId);
      }
      if (body.username) checkName(body.username, 'username');
      return messages.create({
        channel,
        authorId: webhook.id,
        type: MessageType.Default,
        webhook: {
          id: webhook.id,
          applicationId: webhook.applicationId,
          name: body.username || webhook.name,
        },
        body,
        files,
        at: [],
        sentAs: 'webhook',
        mayMentionEveryone: true,
      });
    },

    remove(webhook: Webhook): void {
      const channel = state.channels.get(webhook.channelId);
      state.webhooks.delete(webhook.id);
      if (channel) events.publish({ type: 'webhooks-changed', channel });
    },
  };
}

export type ChannelWebhooks = ReturnType<typeof createChannelWebhooks>;

function checkName(text: string, field: string): void {
  const part = FORBIDDEN_IN_NAMES.find((one) => text.toLowerCase().includes(one));
  if (part) throw invalidFormBody([field], 'USERNAME_INVALID_CONTAINS', `Username cannot contain "${part}"`);
}

/** By bot token, who may manage them. */
export function routeChannelWebhooks(
  app: FastifyInstance,
  { context }: Services,
  webhooks: ChannelWebhooks,
): void {
  const { state, links, events, snowflakes } = context;

  const serialize = (webhook: Webhook, withUser = true): APIWebhook => ({
    id: webhook.id,
    type: WebhookType.Incoming,
    guild_id: webhook.guildId,
    channel_id: webhook.channelId,
    name: webhook.name,
    avatar: null,
    application_id: webhook.applicationId,
    token: links.webhookToken(webhook.id),
    ...(withUser && { user: serializeUserById(state, webhook.applicationId) }),
  });

  /** A channel whose webhooks the bot may manage. Throws 10003, 50001, 50013 or 50024. */
  function managed(channelId: string, botId: string): Channel & { guildId: string } {
    const { channel, permissions } = accessibleChannel(state, channelId, botId);
    const { guildId } = channel;
    if (!guildId || isThread(channel) || WITHOUT_WEBHOOKS.has(channel.type)) {
      throw apiError(Code.CannotExecuteActionOnThisChannelType);
    }
    requirePermissions(permissions, P.ManageWebhooks);
    return { ...channel, guildId };
  }

  function managedWebhook({ params, applicationId }: FastifyRequest<WebhookRoute>): Webhook {
    const webhook = state.webhooks.get(params.webhookId);
    if (!webhook) throw apiError(Code.UnknownWebhook);
    managed(webhook.channelId, applicationId);
    return webhook;
  }

  function opened(params: TokenRoute['Params']): Webhook {
    const webhook = webhooks.withToken(params);
    if (!webhook) throw apiError(Code.UnknownWebhook);
    return webhook;
  }

  const of = (matches: (webhook: Webhook) => boolean) => [...state.webhooks.values()].filter(matches);

  const refusePicture = (picture: string | null | undefined): void => {
    if (picture) throw new UnsupportedError({ feature: 'pictures of webhooks' });
  };

  function change(webhook: Webhook, body: unknown, botId?: string): void {
    const asked = parseBody(changeShape, body);
    refusePicture(asked.avatar);
    if (asked.name) checkName(asked.name, 'name');
    const from = state.channels.get(webhook.channelId);
    const to = asked.channel_id && botId ? managed(asked.channel_id, botId) : undefined;
    if (asked.name) webhook.name = asked.name;
    if (to) webhook.channelId = to.id;
    for (const channel of new Set([from, to && state.channels.get(to.id)])) {
      if (channel) events.publish({ type: 'webhooks-changed', channel });
    }
  }

  app.post<ChannelRoute>('/channels/:channelId/webhooks', async (request) => {
    const channel = managed(request.params.channelId, request.applicationId);
    const body = parseBody(createShape, formOf(request).body);
    refusePicture(body.avatar);
    checkName(body.name, 'name');
    if (of((one) => one.channelId === channel.id).length >= MAX_IN_CHANNEL) {
      throw apiError(Code.MaximumNumberOfWebhooksReached);
    }
    const webhook: Webhook = {
      id: snowflakes.next(),
      guildId: channel.guildId,
      channelId: channel.id,
      applicationId: request.applicationId,
      name: body.name,
    };
    state.webhooks.set(webhook.id, webhook);
    events.publish({ type: 'webhooks-changed', channel });
    return serialize(webhook);
  });

  app.get<ChannelRoute>('/channels/:channelId/webhooks', async ({ params, applicationId }) => {
    const { id } = managed(params.channelId, applicationId);
    return of(({ channelId }) => channelId === id).map((one) => serialize(one));
  });

  app.get<GuildRoute>('/guilds/:guildId/webhooks', async ({ params, applicationId }) => {
    const { id } = administeredGuild(state, params.guildId, applicationId, P.ManageWebhooks);
    return of(({ guildId }) => guildId === id).map((one) => serialize(one));
  });

  app.get<WebhookRoute>('/webhooks/:webhookId', async (request) => serialize(managedWebhook(request)));
  app.patch<WebhookRoute>('/webhooks/:webhookId', async (request) => {
    const webhook = managedWebhook(request);
    change(webhook, formOf(request).body, request.applicationId);
    return serialize(webhook);
  });
  app.delete<WebhookRoute>('/webhooks/:webhookId', async (request) => {
    webhooks.remove(managedWebhook(request));
  });

  const config = { auth: 'token' } as const;
  const path = '/webhooks/:webhookId/:token';
  app.get<TokenRoute>(path, { config }, async ({ params }) => serialize(opened(params), false));
  app.patch<TokenRoute>(path, { config }, async (request) => {
    const webhook = opened(request.params);
    change(webhook, formOf(request).body);
    return serialize(webhook, false);
  });
  app.delete<TokenRoute>(path, { config }, async ({ params }) => {
    webhooks.remove(opened(params));
  });
}
