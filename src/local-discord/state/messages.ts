import { MessageFlags, type MessageType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { AttachmentPlan } from '../rules/attachments.ts';
import { refusal } from '../rules/errors.ts';
import { addAttachment, removeAttachment } from './attachments.ts';
import { createDrafting, type MessageRequest } from './drafts.ts';
import type { Channel, Message, Provenance } from './state.ts';

export interface NewMessage extends MessageRequest {
  channel: Channel;
  authorId: string;
  type: MessageType;
  reader?: string | null;
  nonce?: string | number | null;
  replyTo?: string | null;
  interaction?: Provenance | null;
}

/** 'Bot is thinking…': nothing but the first edit is to come. */
export const isLoading = ({ flags }: Message): boolean => (flags & MessageFlags.Loading) !== 0;

/** Messages are checked and changed here only. Everything is checked before anything is kept. */
export function createMessages(core: Core) {
  const { state, feed, clock, snowflakes } = core;
  const draft = createDrafting(core);

  async function addFiles(plan: AttachmentPlan, channelId: string, ephemeral: boolean): Promise<string[]> {
    const added: string[] = [];
    for (const { file, note } of plan.add) {
      added.push((await addAttachment(core, file, { channelId, ephemeral, note })).id);
    }
    return added;
  }

  function add(message: Message, channel: Channel): Message {
    state.messages.set(message.id, message);
    if (message.reader === null) channel.lastMessageId = message.id;
    feed.publish({ type: 'message-created', message });
    return message;
  }

  return {
    async create(request: NewMessage): Promise<Message> {
      const { plan, ...drafted } = draft(request, request.channel);
      const reader = request.reader ?? null;
      const attachments = await addFiles(plan, request.channel.id, reader !== null);
      const message: Message = {
        ...drafted,
        id: snowflakes.next(),
        type: request.type,
        channelId: request.channel.id,
        authorId: request.authorId,
        attachments,
        flags: drafted.flags | (reader === null ? 0 : MessageFlags.Ephemeral),
        editedAt: null,
        tts: request.body.tts ?? false,
        nonce: request.nonce ?? null,
        replyTo: request.replyTo ?? null,
        reader,
        interaction: request.interaction ?? null,
      };
      return add(message, request.channel);
    },

    /** 'Bot is thinking…': an empty message that the first edit fills. */
    createLoading(
      place: Pick<NewMessage, 'channel' | 'authorId' | 'type' | 'reader' | 'replyTo' | 'interaction'>,
    ) {
      const reader = place.reader ?? null;
      const message: Message = {
        id: snowflakes.next(),
        type: place.type,
        channelId: place.channel.id,
        authorId: place.authorId,
        content: '',
        embeds: [],
        components: [],
        attachments: [],
        flags: MessageFlags.Loading | (reader === null ? 0 : MessageFlags.Ephemeral),
        editedAt: null,
        tts: false,
        mentions: { everyone: false, users: [], roles: [] },
        nonce: null,
        replyTo: place.replyTo ?? null,
        reader,
        interaction: place.interaction ?? null,
      };
      return add(message, place.channel);
    },

    /** A message that was loading stops to load, and is not marked as edited by it. */
    async edit(message: Message, channel: Channel, request: MessageRequest): Promise<Message> {
      const asked = draft(request, channel, message);
      const added = await addFiles(asked.plan, channel.id, message.reader !== null);
      if (!state.messages.has(message.id)) throw refusal(RESTJSONErrorCodes.UnknownMessage);
      // Another edit may have come while files were written: what this one leaves alone must not undo that.
      const { plan, flags, ...drafted } = draft(request, channel, message);
      for (const { id, note } of plan.keep) {
        const attachment = state.attachments.get(id);
        if (attachment && note?.description !== undefined) attachment.description = note.description;
      }
      const kept = [...plan.keep.map(({ id }) => id), ...added];
      const gone = message.attachments.filter((id) => !kept.includes(id));
      const loading = isLoading(message);
      Object.assign(message, drafted, {
        attachments: kept,
        flags: flags | (message.flags & MessageFlags.Ephemeral),
        editedAt: loading ? null : clock.now(),
      });
      feed.publish({ type: 'message-updated', message });
      await Promise.all(gone.map((id) => removeAttachment(core, id)));
      return message;
    },

    remove(message: Message): void {
      if (!state.messages.delete(message.id)) return;
      feed.publish({ type: 'message-deleted', message });
      for (const id of message.attachments) {
        removeAttachment(core, id).catch((error: unknown) =>
          core.log.warn({ err: error }, 'attachment not removed'),
        );
      }
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
