import { MessageFlags, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { MessageLocation } from '../jobs/job.ts';
import { type Message, toBody } from '../messages/message.ts';
import { attachedFileOf } from './attached-files.ts';
import { isOfArchivedThread, unlessGone } from './classify-discord-error.ts';

/** The most messages that Discord lists at once: its documentation, "Get Channel Messages". */
export const PAGE = 100;

/** How long a nonce alone keeps a message from being posted twice: "the past few minutes", by Discord's words. */
export const NONCE_TRUST_MS = 60_000;

/** Tells a message of Discord from the page of a proxy that answers 200 in its place. */
const sentMessage = z.object({ id: z.string(), channel_id: z.string() });
const editedMessage = sentMessage.extend({
  attachments: z.array(z.object({ id: z.string(), filename: z.string() })).catch([]),
});
const attachment = z
  .object({
    filename: z.string(),
    url: z.string(),
    size: z.number(),
    content_type: z.string().nullish(),
    width: z.number().nullish(),
    height: z.number().nullish(),
  })
  .transform(({ filename: name, content_type: contentType, ...file }) =>
    attachedFileOf({ ...file, name, contentType }),
  );
const readMessage = sentMessage
  .extend({
    author: z.object({ id: z.string() }),
    content: z.string().catch(''),
    components: z.unknown(),
    attachments: z.array(attachment).catch([]),
  })
  .transform(({ components, ...message }) => ({ ...message, customIds: customIdsIn(components) }));
const readMessages = z.array(readMessage);
const channel = z.object({ id: z.string() });

export type ReadMessage = z.output<typeof readMessage>;

export interface EditedMessage extends MessageLocation {
  files: { id: string; filename: string }[];
}

/** Where messages are shown; outside of servers `guildId` is null. */
export interface ChannelLocation {
  guildId: string | null;
  channelId: string;
}

/** The reply to an interaction, as its token reaches it. */
export interface InteractionReply {
  guildId: string | null;
  applicationId: string;
  token: string;
  /** Of one that is not the first answer. */
  messageId?: string | undefined;
}

/** Discord's calls on messages. They reject as discord.js's REST does, or where the answer is no message. */
export type MessageApi = ReturnType<typeof createMessageApi>;

export function createMessageApi({
  bot,
  webhooks,
  link = (message) => message,
}: {
  /** With the bot's token. */
  bot: REST;
  /** Without it: for interaction webhooks. */
  webhooks: REST;
  /** Makes the commands that a message names ones that can be clicked in this server. */
  link?: ((message: Message, guildId: string | null) => Message) | undefined;
}) {
  const replyRoute = ({ applicationId, token, messageId }: InteractionReply) =>
    Routes.webhookMessage(applicationId, token, messageId);
  const route = ({ channelId, messageId }: MessageLocation) => Routes.channelMessage(channelId, messageId);

  return {
    async editReply(reply: InteractionReply, message: Message, signal: AbortSignal): Promise<EditedMessage> {
      const request = { ...toBody(link(message, reply.guildId)), signal, auth: false };
      return edited(await webhooks.patch(replyRoute(reply), request));
    },
    async readReply(reply: InteractionReply, signal: AbortSignal): Promise<ReadMessage> {
      return readMessage.parse(await webhooks.get(replyRoute(reply), { signal, auth: false }));
    },
    async deleteReply(reply: InteractionReply, signal: AbortSignal): Promise<void> {
      await webhooks.delete(replyRoute(reply), { signal, auth: false });
    },
    /** Another answer to the same interaction, which only its member sees. */
    async followUp(
      { applicationId, token, guildId }: InteractionReply,
      message: Message,
      signal: AbortSignal,
    ): Promise<MessageLocation> {
      const { body, files } = toBody(link(message, guildId));
      const request = { body: { ...body, flags: MessageFlags.Ephemeral }, files, signal, auth: false };
      const sent = await webhooks.post(Routes.webhook(applicationId, token), request);
      return locationOf(sentMessage.parse(sent));
    },
    async edit(
      location: MessageLocation & ChannelLocation,
      message: Message,
      signal: AbortSignal,
    ): Promise<EditedMessage> {
      return edited(await bot.patch(route(location), { ...toBody(link(message, location.guildId)), signal }));
    },
    /** Says whether it was there. An archived thread is opened for it, as Discord's own client does. */
    async delete(location: MessageLocation, signal: AbortSignal): Promise<boolean> {
      const deletion = async () => {
        await bot.delete(route(location), { signal });
        return true;
      };
      const inOpenThread = deletion().catch(async (error: unknown) => {
        if (!isOfArchivedThread(error)) throw error;
        await bot.patch(Routes.channel(location.channelId), { body: { archived: false }, signal });
        return deletion();
      });
      return (await unlessGone(inOpenThread)) ?? false;
    },
    async read(location: MessageLocation, signal: AbortSignal): Promise<ReadMessage> {
      return readMessage.parse(await bot.get(route(location), { signal }));
    },
    /**
     * Posts once for each nonce, for as long as Discord remembers it: "the past few minutes". `repliesTo`: the message
     * that it replies to, as long as that is there.
     */
    async post(
      { guildId, channelId }: ChannelLocation,
      nonce: string,
      message: Message,
      signal: AbortSignal,
      repliesTo?: string,
    ): Promise<MessageLocation> {
      const { body, files } = toBody(link(message, guildId));
      const reference = repliesTo !== undefined && {
        message_reference: { message_id: repliesTo, fail_if_not_exists: false },
      };
      const request = { body: { ...body, ...reference, nonce, enforce_nonce: true }, files, signal };
      return locationOf(sentMessage.parse(await bot.post(Routes.channelMessages(channelId), request)));
    },
    /** The first `PAGE` messages after the id `after`. */
    async list(channelId: string, after: string, signal: AbortSignal): Promise<ReadMessage[]> {
      const query = new URLSearchParams({ limit: `${PAGE}`, after });
      return readMessages.parse(await bot.get(Routes.channelMessages(channelId), { query, signal }));
    },
    /** The id of the conversation with a user, which is opened where there is none. */
    async openDirectMessage(userId: string, signal: AbortSignal): Promise<string> {
      const opened = await bot.post(Routes.userChannels(), { body: { recipient_id: userId }, signal });
      return channel.parse(opened).id;
    },
  };
}

export const locationOf = ({ id, channel_id }: z.output<typeof sentMessage>): MessageLocation => ({
  channelId: channel_id,
  messageId: id,
});

/** Those of a message with what they hold, however deep. */
export function componentsIn(components: unknown): Record<string, unknown>[] {
  if (Array.isArray(components)) return components.flatMap(componentsIn);
  if (typeof components !== 'object' || components === null) return [];
  const component: Record<string, unknown> = { ...components };
  return [component, ...componentsIn(component.components)];
}

export const customIdsIn = (components: unknown): string[] =>
  componentsIn(components).flatMap(({ custom_id: id }) => (typeof id === 'string' ? [id] : []));

function edited(answer: unknown): EditedMessage {
  const message = editedMessage.parse(answer);
  return { ...locationOf(message), files: message.attachments };
}
