import {
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  MessageFlags,
} from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import {
  type AttachmentNote,
  type AttachmentPlan,
  attachmentSizeLimit,
  cleanFilename,
  planAttachments,
  type UploadedFile,
} from '../rules/attachments.ts';
import { checkAutoMod } from '../rules/auto-mod.ts';
import { invalidForm, type Path } from '../rules/errors.ts';
import { mentionsIn } from '../rules/mentions.ts';
import { checkMessage } from '../rules/messages.ts';
import { numberComponents } from '../wire/components.ts';
import type { Channel, Message } from './state.ts';

/** What requests say of a message, whatever route they come by. */
export interface MessageBody {
  content?: string | null | undefined;
  embeds?: APIEmbed[] | null | undefined;
  components?: APIMessageTopLevelComponent[] | null | undefined;
  attachments?: AttachmentNote[] | null | undefined;
  allowed_mentions?: APIAllowedMentions | null | undefined;
  flags?: number | null | undefined;
  tts?: boolean | null | undefined;
  poll?: unknown;
}

export interface MessageRequest {
  body: MessageBody;
  files: readonly UploadedFile[];
  /** Where the message stands in the body: `data` in a callback. */
  at: Path;
  mayMentionEveryone: boolean;
}

/** Flags that a bot may give a message. The others are Discord's own. */
const SETTABLE =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

/** What a message becomes by a request, held against every rule, or the error that the request earns. */
export function createDrafting({ state, limits }: Core) {
  function draftFlags({ body, at }: MessageRequest, before: Message | undefined): number {
    const asked = (body.flags ?? before?.flags ?? 0) & SETTABLE;
    const wasModern = ((before?.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
    if (wasModern && body.flags != null && (asked & MessageFlags.IsComponentsV2) === 0) {
      throw invalidForm(
        [...at, 'flags'],
        'MESSAGE_FLAGS_COMPONENTS_V2_REMOVED',
        'The IS_COMPONENTS_V2 flag cannot be removed from a message',
      );
    }
    return asked;
  }

  function namesAfter(plan: AttachmentPlan): string[] {
    const kept = plan.keep.flatMap(({ id }) => state.attachments.get(id)?.filename ?? []);
    return [...kept, ...plan.add.map(({ file, note }) => cleanFilename(note?.filename ?? file.name))];
  }

  /** With `before` an edit: what the body does not name stays as it is. */
  return function draft(request: MessageRequest, channel: Channel, before?: Message) {
    const { body, files, at } = request;
    const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
    const limit = attachmentSizeLimit(limits.attachment, guild);
    const plan = planAttachments(before?.attachments ?? [], body.attachments, files, { limit, at });
    const content = body.content === undefined && before ? before.content : (body.content ?? '').trim();
    const embeds = body.embeds === undefined && before ? before.embeds : (body.embeds ?? []);
    const components = body.components === undefined && before ? before.components : (body.components ?? []);
    const flags = draftFlags(request, before);

    checkMessage(
      {
        content,
        embeds,
        components,
        flags,
        attachmentNames: namesAfter(plan),
        newEmbeds: body.embeds !== undefined,
        allowedMentions: body.allowed_mentions ?? undefined,
        poll: body.poll !== undefined && body.poll !== null,
      },
      at,
    );
    checkAutoMod(guild, content, embeds);
    const mentions = mentionsIn(content, body.allowed_mentions ?? undefined, request.mayMentionEveryone);
    return { content, embeds, components: numberComponents(components), flags, plan, mentions };
  };
}
