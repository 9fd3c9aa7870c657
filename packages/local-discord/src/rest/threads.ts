import * as spec from 'discord-api-spec/zod';
import {
  ChannelType,
  RESTJSONErrorCodes as Code,
  MessageFlags,
  MessageType,
  PermissionFlagsBits as P,
  type RESTPostAPIChannelThreadsJSONBody,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { parseBody } from '../rules/body.ts';
import { isForum } from '../rules/channel-kinds.ts';
import { apiError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { has, sees, sending } from '../rules/permissions.ts';
import { requireOpen } from '../rules/threads.ts';
import { serializeChannel, serializeThreadMember } from '../serialize/channel.ts';
import { serializeMessage } from '../serialize/message.ts';
import { isActive, isThread, newThread } from '../state/channels.ts';
import type { Channel, Thread } from '../state/state.ts';
import { accessibleChannel, accessibleGuild, reachableMessage, requirePermissions } from './access.ts';
import {
  type At,
  type ChannelRoute,
  formOf,
  type GuildRoute,
  type MessageRoute,
  type Services,
} from './routing.ts';

/** Which kinds of threads a channel has, first the one that begins with a message. Source: 'Channel', channel types. */
const THREADS_IN: Partial<Record<ChannelType, readonly ChannelType[]>> = {
  [ChannelType.GuildText]: [ChannelType.PublicThread, ChannelType.PrivateThread],
  [ChannelType.GuildAnnouncement]: [ChannelType.AnnouncementThread],
};

/** Throws 50024 where there are none. */
function threadsIn({ type }: Channel): readonly ChannelType[] {
  const types = THREADS_IN[type];
  if (!types) throw apiError(Code.CannotExecuteActionOnThisChannelType);
  return types;
}

/** What it takes to make a thread of a kind. Source: 'Threads', permissions. */
const CREATING: Partial<Record<ChannelType, bigint>> = {
  [ChannelType.PublicThread]: P.CreatePublicThreads,
  [ChannelType.AnnouncementThread]: P.CreatePublicThreads,
  [ChannelType.PrivateThread]: P.CreatePrivateThreads,
};

/** Threads of text channels and posts of forums. Source: 'Threads'; 'Channel', threads. */
export function routeThreads(app: FastifyInstance, { context, messages }: Services): void {
  const { state, events, snowflakes, clock } = context;

  type Asked = Pick<RESTPostAPIChannelThreadsJSONBody, 'name' | 'auto_archive_duration' | 'invitable'>;

  /** A thread whose first member is the bot. Without an id of its own: from no message. */
  function make(
    parent: Channel,
    botId: string,
    type: ChannelType,
    asked: Asked,
    id = snowflakes.next(),
  ): Channel {
    const channel = newThread(parent, { id, type, name: asked.name, ownerId: botId, now: clock.now() });
    const { thread } = channel;
    if (asked.auto_archive_duration) thread.archiveAfter = asked.auto_archive_duration;
    thread.invitable = asked.invitable ?? true;
    thread.members.push({ userId: botId, joinedAt: clock.now() });
    return channel;
  }

  function open(channel: Channel): Channel {
    state.channels.set(channel.id, channel);
    events.publish({ type: 'channel-created', channel });
    return channel;
  }

  app.post<MessageRoute>('/channels/:channelId/messages/:messageId/threads', async (request, reply) => {
    const { params, applicationId: botId } = request;
    const { channel: parent, permissions } = accessibleChannel(state, params.channelId, botId);
    const [type = ChannelType.PublicThread] = threadsIn(parent);
    requirePermissions(permissions, P.CreatePublicThreads);
    const message = reachableMessage(state, parent.id, params.messageId);
    const body = parseBody(spec.CreateTextThreadWithMessageRequestSchema, formOf(request).body);
    if (state.channels.has(message.id)) throw apiError(Code.ThreadAlreadyCreatedForMessage);
    const thread = open(make(parent, botId, type, body, message.id));
    message.flags |= MessageFlags.HasThread;
    events.publish({ type: 'message-updated', message });
    reply.code(201);
    return serializeChannel(state, thread, botId);
  });

  app.post<ChannelRoute>('/channels/:channelId/threads', async (request, reply) => {
    const botId = request.applicationId;
    const { channel: parent, permissions } = accessibleChannel(state, request.params.channelId, botId);
    const { body: raw, files } = formOf(request);
    reply.code(201);
    if (!isForum(parent)) {
      const body = parseBody(spec.CreateTextThreadWithoutMessageRequestSchema, raw);
      const type = body.type ?? ChannelType.PrivateThread;
      const types = threadsIn(parent);
      if (!types.includes(type)) {
        throw invalidFormBody(['type'], 'BASE_TYPE_CHOICES', `Value must be one of {${types.join(', ')}}.`);
      }
      requirePermissions(permissions, CREATING[type] ?? 0n);
      return serializeChannel(state, open(make(parent, botId, type, body)), botId);
    }
    requirePermissions(permissions, P.SendMessages);
    const body = parseBody(spec.CreateForumThreadRequestSchema, raw);
    const thread = make(parent, botId, ChannelType.PublicThread, body);
    if (body.applied_tags) thread.settings = { applied_tags: body.applied_tags };
    const message = await messages.create({
      id: thread.id,
      channel: thread,
      authorId: botId,
      type: MessageType.Default,
      body: body.message,
      files,
      at: ['message'],
      mayMentionEveryone: has(permissions, P.MentionEveryone),
      beforeAdded() {
        open(thread);
        parent.lastMessageId = thread.id;
      },
    });
    return { ...serializeChannel(state, thread, botId), message: serializeMessage(context, message, botId) };
  });

  function threadFor(channelId: string, botId: string) {
    const { channel, permissions } = accessibleChannel(state, channelId, botId);
    if (!channel.thread) throw apiError(Code.UnknownChannel);
    return { channel, thread: channel.thread, permissions };
  }

  function changeMember(channel: Channel, thread: Thread, userId: string, isMember: boolean): void {
    requireOpen(channel);
    const known = thread.members.some((member) => member.userId === userId);
    if (known === isMember) return;
    const others = thread.members.filter((member) => member.userId !== userId);
    thread.members = isMember ? [...others, { userId, joinedAt: clock.now() }] : others;
    events.publish({ type: 'thread-member-changed', channel, userId, isMember });
  }

  for (const method of ['PUT', 'DELETE'] as const) {
    const isMember = method === 'PUT';
    app.route<ChannelRoute>({
      method,
      url: '/channels/:channelId/thread-members/@me',
      async handler({ params, applicationId: botId }) {
        const { channel, thread } = threadFor(params.channelId, botId);
        changeMember(channel, thread, botId, isMember);
      },
    });
    app.route<At<'channelId' | 'userId'>>({
      method,
      url: '/channels/:channelId/thread-members/:userId',
      async handler({ params, applicationId: botId }) {
        const { channel, thread, permissions } = threadFor(params.channelId, botId);
        if (!state.users.has(params.userId)) throw apiError(Code.UnknownUser);
        const isOwn = channel.type === ChannelType.PrivateThread && thread.ownerId === botId;
        if (isMember) requirePermissions(permissions, sending(channel));
        else if (!isOwn) requirePermissions(permissions, P.ManageThreads);
        changeMember(channel, thread, params.userId, isMember);
      },
    });
  }

  app.get<ChannelRoute>('/channels/:channelId/thread-members', async ({ params, applicationId }) => {
    const { channel, thread } = threadFor(params.channelId, applicationId);
    return thread.members.map((member) => serializeThreadMember(channel.id, member));
  });

  function list(threads: readonly Channel[], botId: string) {
    const members = threads.flatMap(({ id, thread }) => {
      const own = thread?.members.find(({ userId }) => userId === botId);
      return own ? [serializeThreadMember(id, own)] : [];
    });
    return { threads: threads.map((thread) => serializeChannel(state, thread, botId)), members };
  }
  const visible = (botId: string) =>
    [...state.channels.values()].filter((channel) => isThread(channel) && sees(state, channel, botId));

  app.get<GuildRoute>('/guilds/:guildId/threads/active', async ({ params, applicationId }) => {
    const guild = accessibleGuild(state, params.guildId, applicationId);
    const here = visible(applicationId).filter(({ guildId }) => guildId === guild.id);
    return list(here.filter(isActive), applicationId);
  });
  for (const kind of ['public', 'private'] as const) {
    app.get<ChannelRoute>(
      `/channels/:channelId/threads/archived/${kind}`,
      async ({ params, applicationId: botId }) => {
        const required = P.ReadMessageHistory | (kind === 'private' ? P.ManageThreads : 0n);
        const { channel } = accessibleChannel(state, params.channelId, botId, required);
        const archived = visible(botId)
          .filter(
            (thread) =>
              thread.parentId === channel.id &&
              !isActive(thread) &&
              (thread.type === ChannelType.PrivateThread) === (kind === 'private'),
          )
          .sort((one, other) => (other.thread?.changedAt ?? 0) - (one.thread?.changedAt ?? 0));
        return { ...list(archived, botId), has_more: false };
      },
    );
  }
}

/** What a body changes of a thread. Source: 'Threads', editing and deleting threads. */
export function editThread(
  { clock }: Context,
  channel: Channel,
  { botId, permissions, body: raw }: { botId: string; permissions: bigint; body: unknown },
): void {
  const { thread } = channel;
  if (!thread) throw apiError(Code.UnknownChannel);
  const { name, archived, locked, invitable, auto_archive_duration, rate_limit_per_user, applied_tags } =
    parseBody(spec.UpdateThreadRequestPartialSchema, raw);
  const opensOnly = archived === false && Object.keys(Object(raw)).length === 1 && !thread.locked;
  if (archived !== false) requireOpen(channel);
  const isOwn = thread.ownerId === botId && !thread.locked;
  const needsModerator = typeof locked === 'boolean' || typeof rate_limit_per_user === 'number';
  if (opensOnly) requirePermissions(permissions, sending(channel));
  else if (needsModerator || !isOwn) requirePermissions(permissions, P.ManageThreads);
  if (name) channel.name = name;
  if (typeof archived === 'boolean' && archived !== thread.archived) {
    thread.archived = archived;
    thread.changedAt = clock.now();
  }
  if (typeof locked === 'boolean') thread.locked = locked;
  if (typeof invitable === 'boolean') thread.invitable = invitable;
  if (auto_archive_duration) {
    thread.archiveAfter = auto_archive_duration;
    thread.changedAt = clock.now();
  }
  channel.settings = {
    ...channel.settings,
    ...(typeof rate_limit_per_user === 'number' && { rate_limit_per_user }),
    ...(applied_tags && { applied_tags }),
  };
}
