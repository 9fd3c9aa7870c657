import { refdClock, withTimeout } from '@darkroom/time';
import { type Message as DiscordMessage, MessageFlags, type RepliableInteraction } from 'discord.js';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { classifyDiscordError } from '../delivery/classify-discord-error.ts';
import type { MessageLocation } from '../jobs/job.ts';
import { type Message, toReplyOptions } from '../messages/message.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { CommandLinks } from './command-links.ts';
import { versioned } from './custom-id-version.ts';
import { createFirstAnswer } from './first-answer.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { withoutPick } from './shown-picks.ts';

/** How long Discord may take to show what stands as the reply, in real milliseconds. */
const FETCH_TIMEOUT_MS = 5_000;

/**
 * How long an answer may take, in real milliseconds, before one is promised instead: within half a second something
 * is seen.
 */
const AT_ONCE_MS = 400;

/**
 * How an interaction is answered, by Discord's names, and by our own for what takes more than one call.
 *
 * - First answers: `replyEphemeral`, `deferReply`, `showModal`; for the caller only `answer`, and `promise`, which
 *   another process keeps where this one ends.
 * - First answers to what stands under a message: `update`, `deferUpdate`, `replace`, and `acknowledge`, which changes
 *   nothing.
 * - After one: `editReply`, `editWords`, `followUp`, `deleteMessage`; `beginAnew` lets first answers follow.
 * - Whichever it is: `respond`.
 */
export type Reply = ReturnType<typeof createReply>;

/** One for each interaction, because only one answer can be the first. */
export function createReply(
  interaction: RepliableInteraction,
  {
    pendingAnswers,
    link,
    metrics,
  }: {
    pendingAnswers: PendingAnswers;
    link: CommandLinks['link'];
    metrics: Pick<Metrics, 'firstAnswer'>;
  },
) {
  const giveFirst = createFirstAnswer({ metrics });
  const rendered = (message: Message) => toReplyOptions(link(message, interaction.guildId));
  let existing: DiscordMessage | undefined;
  let promised = false;
  let anew: Message | undefined;
  /** The message that stands in place of the reply since `beginAnew`. */
  let beside: string | undefined;

  /**
   * Whether what stands as the reply can be ours: it still says nothing, or these words. Undefined where Discord
   * cannot be asked now.
   */
  async function isOurs(words?: string): Promise<boolean | undefined> {
    try {
      existing = await withTimeout(FETCH_TIMEOUT_MS, () => interaction.fetchReply());
    } catch (error) {
      return classifyDiscordError(error).kind === 'temporary' ? undefined : false;
    }
    return existing.flags.has(MessageFlags.Loading) || existing.content === words;
  }

  /** As the first answer: only the caller reads it. */
  async function replyEphemeral(message: Message): Promise<void> {
    if (anew) {
      beside = (await followUp(message, { ephemeral: true })).messageId;
      return;
    }
    const answer = { ...rendered(message), flags: MessageFlags.Ephemeral } as const;
    const sent = await giveFirst(
      () => interaction.reply(answer),
      () => isOurs(answer.content),
    );
    if (sent) return;
    interaction.deferred = true;
    await editReply(message);
  }

  /** After an answer: who reads it was fixed there. */
  async function editReply(message: Message): Promise<void> {
    await interaction.editReply({ ...rendered(message), ...(beside !== undefined && { message: beside }) });
    if (promised) await pendingAnswers.remove(interaction.id);
  }

  /** As `editReply`, but for its embeds and files: they stay. */
  async function editWords(message: Pick<Message, 'content' | 'rows'>): Promise<void> {
    const { content, components, allowedMentions } = rendered(message);
    await interaction.editReply({ content, components, allowedMentions });
  }

  /**
   * As the first answer: says that one will come, and fixes who reads it. Resolves with the message's id, where
   * Discord tells it.
   */
  const deferReply = async ({ ephemeral }: { ephemeral: boolean }): Promise<string | undefined> => {
    if (anew) return (await followUp(anew, { ephemeral })).messageId;
    const answer = await giveFirst(
      () =>
        interaction.deferReply({ withResponse: true, ...(ephemeral && { flags: MessageFlags.Ephemeral }) }),
      () => isOurs(),
    );
    if (answer) return answer.interaction.responseMessageId ?? undefined;
    interaction.deferred = true;
    if (!existing) await isOurs();
    return existing?.id;
  };

  /** After `acknowledge`: a message of its own, which replies to the one that the button stands under. */
  const followUp = async (
    message: Message,
    { ephemeral }: { ephemeral: boolean },
  ): Promise<MessageLocation> => {
    const { id, channelId } = await interaction.followUp({
      ...rendered(message),
      ...(ephemeral && { flags: MessageFlags.Ephemeral }),
    });
    return { channelId, messageId: id };
  };

  /**
   * As the first answer: says to the caller only that one will come. Where the process ends before it does, another
   * one says so. Resolves as `deferReply` does.
   */
  async function promise(): Promise<string | undefined> {
    await pendingAnswers.add(interaction);
    promised = true;
    return deferReply({ ephemeral: true }).catch(async (error: unknown) => {
      await pendingAnswers.remove(interaction.id);
      throw error;
    });
  }

  /** Gives a message by `give` where it is there at once; else announces it, and edits what that left. */
  async function giveInTime(
    message: Promise<Message>,
    give: (message: Message) => Promise<void>,
    announce: () => Promise<unknown>,
  ): Promise<void> {
    const atOnce = await Promise.race([message, refdClock.sleep(AT_ONCE_MS)]);
    if (atOnce) return give(atOnce);
    // What it rejects with meanwhile is heard below.
    message.catch(() => undefined);
    await announce();
    await editReply(await message);
  }

  /** As the first answer to a button, a select menu or a form: replaces the message that it stands under. */
  async function update(message: Message): Promise<void> {
    await underMessage(interaction).update(rendered(message));
  }

  /**
   * As the first answer to a button or a menu: says nothing yet, and leaves the message that it stands under as it
   * is. The menu shows no pick any more: Discord lets nobody pick the same again.
   */
  async function acknowledge(): Promise<void> {
    const used = underMessage(interaction);
    if (used.isAnySelectMenu()) await used.update({ components: withoutPick(used) });
    else await used.deferUpdate();
    // Whatever is said from now on, also of a mistake, must be a new message, not an edit of this one.
    interaction.deferred = false;
    interaction.replied = true;
  }

  return {
    replyEphemeral,
    editReply,
    editWords,
    deferReply,
    promise,

    /**
     * As the first answer, for the caller only: at once where it is there at once, promised otherwise. Rejects as
     * `message` does.
     */
    async answer(message: Promise<Message>): Promise<void> {
      if (anew) await replyEphemeral(await message);
      else await giveInTime(message, replyEphemeral, promise);
    },

    /**
     * However the interaction stands: replies, edits what was deferred, or follows up. Ephemeral unless deferred
     * otherwise. A menu shows no pick after it, which may not hold.
     */
    async respond(message: Message): Promise<void> {
      const isUnanswered = !interaction.deferred && !interaction.replied && !anew;
      // What cannot be sent anew is gone.
      if (isUnanswered && interaction.isAnySelectMenu()) await acknowledge().catch(() => undefined);
      if (interaction.deferred && !anew) await editReply(message);
      else if (!interaction.replied) await replyEphemeral(message);
      else await followUp(message, { ephemeral: true });
    },

    /** As the first answer to a button or a form under a message: says that this message will change. */
    async deferUpdate(): Promise<void> {
      await underMessage(interaction).deferUpdate();
    },

    /** As the first answer: opens a form. */
    async showModal(modal: APIModalInteractionResponseCallbackData): Promise<void> {
      if (!('showModal' in interaction)) throw new Error('a form cannot be answered with a form');
      await interaction.showModal(versioned(modal));
    },

    update,

    /**
     * As `update`: at once where the message is there at once. Rejects as `message` does; then the one that stands
     * there stays.
     */
    replace: (message: Promise<Message>): Promise<void> => giveInTime(message, update, acknowledge),

    acknowledge,

    followUp,

    /**
     * After `editReply`: what would be a first answer from now on is a message of its own beside it, which says
     * `placeholder` where `deferReply` only promises one.
     */
    beginAnew(placeholder: Message): void {
      anew = placeholder;
    },

    /**
     * After `acknowledge`, while the interaction's token lives: deletes the message that the button stands under, or
     * what followed up.
     */
    async deleteMessage(followUpId?: string): Promise<void> {
      await interaction.deleteReply(followUpId).catch((error: unknown) => {
        if (classifyDiscordError(error).kind !== 'message-gone') throw error;
      });
    },
  };
}

/** Throws where it does not come from under a message. */
function underMessage(interaction: RepliableInteraction) {
  if (interaction.isMessageComponent()) return interaction;
  if (interaction.isModalSubmit() && interaction.isFromMessage()) return interaction;
  throw new Error('the interaction comes from under no message');
}
