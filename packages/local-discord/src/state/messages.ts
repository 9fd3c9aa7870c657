import { MessageFlags, type MessageType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { AttachmentPlan } from '../rules/attachments.ts';
import { apiError } from '../rules/errors.ts';
import { addAttachment, removeAttachment } from './attachments.ts';
import { createMessageResolver, type MessageRequest } from './message-request.ts';
import type { Channel, InteractionMetadata, Message, Thread } from './state.ts';

export interface NewMessage extends MessageRequest {
  /** A new one when absent. */
  id?: string;
  channel: Channel;
  authorId: string;
  type: MessageType;
  reader?: string | null;
  nonce?: string | number | null;
  replyTo?: string | null;
  interaction?: InteractionMetadata | null;
  webhook?: NonNullable<Message['webhook']>;
  forwards?: Message;
  /** When nothing is wrong with it any more: makes the post that it begins. */
  beforeAdded?(): void;
}

/** 'Bot is thinking…': nothing but the first edit is to come. */
export const isLoading = ({ flags }: Message): boolean => (flags & MessageFlags.Loading) !== 0;

/** Messages are checked and changed here only. Everything is checked before anything is kept. */
export function createMessages(context: Context) {
  const { state, events, clock, snowflakes } = context;
  const resolve = createMessageResolver(context);

  async function addFiles(plan: AttachmentPlan, channelId: string, ephemeral: boolean): Promise<string[]> {
    const added: string[] = [];
    for (const { file, note } of plan.added) {
      added.push((await addAttachment(context, file, { channelId, ephemeral, note })).id);
    }
    return added;
  }

  const removeFiles = (ids: readonly string[]) => Promise.all(ids.map((id) => removeAttachment(context, id)));

  /** Who writes in an archived thread opens it, unless it is locked. Source: 'Threads', active and archived. */
  function wake(channel: Channel, thread: Thread): void {
    thread.sent++;
    if (!thread.archived || thread.locked) return;
    Object.assign(thread, { archived: false, changedAt: clock.now() });
    events.publish({ type: 'channel-updated', channel });
  }

  type Said = Pick<
    Message,
    'content' | 'embeds' | 'components' | 'attachments' | 'flags' | 'mentions' | 'tts'
  >;

  function add({ channel, ...place }: Omit<NewMessage, keyof MessageRequest>, said: Said): Message {
    const reader = place.reader ?? null;
    const message: Message = {
      ...said,
      id: place.id ?? snowflakes.next(),
      type: place.type,
      channelId: channel.id,
      authorId: place.authorId,
      flags: said.flags | (reader === null ? 0 : MessageFlags.Ephemeral),
      editedAt: null,
      nonce: place.nonce ?? null,
      replyTo: place.replyTo ?? null,
      reader,
      interaction: place.interaction ?? null,
      ...(place.webhook && { webhook: place.webhook }),
      ...(place.forwards && { forwards: structuredClone(place.forwards) }),
      reactions: [],
    };
    state.messages.set(message.id, message);
    if (reader === null) {
      channel.lastMessageId = message.id;
      if (channel.thread && message.id !== channel.id) wake(channel, channel.thread);
    }
    events.publish({ type: 'message-created', message });
    return message;
  }

  return {
    async create(request: NewMessage): Promise<Message> {
      const { plan, ...resolved } = resolve(request, request.channel);
      const isEphemeral = (request.reader ?? null) !== null;
      const attachments = await addFiles(plan, request.channel.id, isEphemeral);
      request.beforeAdded?.();
      return add(request, { ...resolved, attachments, tts: request.body.tts ?? false });
    },

    /** An empty message: 'Bot is thinking…' until the first edit fills it, or what another one says. */
    createEmpty(
      place: Omit<NewMessage, keyof MessageRequest>,
      flags: MessageFlags.Loading | MessageFlags.HasSnapshot,
    ) {
      return add(place, {
        content: '',
        embeds: [],
        components: [],
        attachments: [],
        flags,
        mentions: { everyone: false, users: [], roles: [] },
        tts: false,
      });
    },

    /** A message that was loading stops to load, and is not marked as edited by it. */
    async edit(message: Message, channel: Channel, request: MessageRequest): Promise<Message> {
      const requested = resolve(request, channel, message);
      const added = await addFiles(requested.plan, channel.id, message.reader !== null);
      let resolved: ReturnType<typeof resolve>;
      try {
        if (!state.messages.has(message.id)) throw apiError(RESTJSONErrorCodes.UnknownMessage);
        // Another edit may have come while files were written: what this one leaves alone must not undo that.
        resolved = resolve(request, channel, message);
      } catch (error) {
        await removeFiles(added);
        throw error;
      }
      const { plan, flags, ...said } = resolved;
      for (const { id, note } of plan.remaining) {
        const attachment = state.attachments.get(id);
        if (attachment && note?.description !== undefined) attachment.description = note.description;
      }
      const attachments = [...plan.remaining.map(({ id }) => id), ...added];
      const gone = message.attachments.filter((id) => !attachments.includes(id));
      const loading = isLoading(message);
      Object.assign(message, said, {
        attachments,
        flags: flags | (message.flags & (MessageFlags.Ephemeral | MessageFlags.HasThread)),
        editedAt: loading ? null : clock.now(),
      });
      events.publish({ type: 'message-updated', message });
      await removeFiles(gone);
      return message;
    },

    remove(message: Message, { inBulk = false }: { inBulk?: boolean } = {}): void {
      if (!state.messages.delete(message.id)) return;
      events.publish({ type: 'message-deleted', message, inBulk });
      for (const id of message.attachments) {
        removeAttachment(context, id).catch((error: unknown) =>
          context.log.warn({ err: error }, 'attachment not removed'),
        );
      }
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
