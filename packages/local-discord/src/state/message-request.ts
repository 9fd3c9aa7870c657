import { MessageFlags, type RESTPatchAPIChannelMessageJSONBody } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import {
  type AttachmentPlan,
  cleanFilename,
  planAttachments,
  type UploadedFile,
} from '../rules/attachments.ts';
import { checkAutoMod } from '../rules/auto-mod.ts';
import { textsIn } from '../rules/components.ts';
import { customEmojis } from '../rules/emojis.ts';
import { UnsupportedError } from '../rules/errors.ts';
import { invalidFormBody, type Path } from '../rules/form-errors.ts';
import { mentionsIn, type SentAs } from '../rules/mentions.ts';
import { checkMessage } from '../rules/messages.ts';
import { numberComponents } from '../serialize/components.ts';
import { guildOf } from './channels.ts';
import type { Channel, Message } from './state.ts';

/** What requests say of a message, whatever route they come by. */
type MessageBody = RESTPatchAPIChannelMessageJSONBody & { tts?: boolean | undefined; poll?: unknown };

export interface MessageRequest {
  body: MessageBody;
  files: readonly UploadedFile[];
  /** Where the message stands in the body: `data` in a callback. */
  at: Path;
  /** A message of a user or bot unless given. */
  sentAs?: SentAs;
  mayMentionEveryone: boolean;
  /** The author of the message that it replies to. */
  repliedUserId?: string;
}

/** Flags that a bot may give a message. The others are Discord's own. */
const SETTABLE =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

/** What a message becomes by a request, held against every rule, or the error that the request earns. */
export function createMessageResolver({ state, limits }: Context) {
  function resolveFlags({ body, at }: MessageRequest, before: Message | undefined): number {
    const requested = (body.flags ?? before?.flags ?? 0) & SETTABLE;
    const wasModern = ((before?.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
    if (wasModern && body.flags != null && (requested & MessageFlags.IsComponentsV2) === 0) {
      throw invalidFormBody([...at, 'flags'], 'MESSAGE_FLAGS_COMPONENTS_V2_REMOVED');
    }
    return requested;
  }

  function namesAfter(plan: AttachmentPlan): string[] {
    const remaining = plan.remaining.flatMap(({ id }) => state.attachments.get(id)?.filename ?? []);
    return [...remaining, ...plan.added.map(({ file, note }) => cleanFilename(note?.filename ?? file.name))];
  }

  /** An edit without `allowed_mentions` leaves the author of the message that is replied to as they were. */
  function repliedUserBefore(before: Message | undefined, body: MessageBody): string | undefined {
    const author = before?.replyTo ? state.messages.get(before.replyTo)?.authorId : undefined;
    const isMentioned = author !== undefined && before?.mentions.users.includes(author);
    return isMentioned || body.allowed_mentions?.replied_user ? author : undefined;
  }

  /** With `before` an edit: what the body does not name stays as it is. */
  return function resolve(request: MessageRequest, channel: Channel, before?: Message) {
    const { body, files, at } = request;
    const guild = guildOf(state, channel);
    const plan = planAttachments(before?.attachments ?? [], body.attachments, files, {
      limit: limits.attachment,
      at,
    });
    const content = body.content === undefined && before ? before.content : (body.content ?? '').trim();
    const embeds = body.embeds === undefined && before ? before.embeds : (body.embeds ?? []);
    const components = body.components === undefined && before ? before.components : (body.components ?? []);
    const flags = resolveFlags(request, before);

    if (body.poll !== undefined && body.poll !== null) throw new UnsupportedError({ feature: 'polls' });
    checkMessage(
      {
        content,
        embeds,
        components,
        flags,
        attachmentNames: namesAfter(plan),
        newEmbeds: body.embeds !== undefined,
        newComponents: body.components !== undefined,
        emojis: customEmojis(state),
        allowedMentions: body.allowed_mentions ?? undefined,
      },
      at,
    );
    // Source: 'Component Reference', Text Display: it notifies as the content of a message does.
    const text = [content, ...textsIn(components)].join('\n');
    checkAutoMod(guild, text, embeds);
    const mentions = mentionsIn(text, {
      allowed: body.allowed_mentions ?? undefined,
      sentAs: request.sentAs ?? 'message',
      mayMentionEveryone: request.mayMentionEveryone,
      roles: guild?.roles ?? [],
      repliedUserId: request.repliedUserId ?? repliedUserBefore(before, body),
    });
    return { content, embeds, components: numberComponents(components), flags, plan, mentions };
  };
}
