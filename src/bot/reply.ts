import {
  DiscordAPIError,
  type Message as DiscordMessage,
  type InteractionReplyOptions,
  MessageFlags,
  RESTJSONErrorCodes,
  type RepliableInteraction,
} from 'discord.js';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { within } from '../deadline.ts';
import { verdictOn } from './delivery/verdict.ts';
import { createFirstAnswer } from './first-answer.ts';
import { type Message, toAnswer } from './message.ts';

/** How long may be looked for what stands as a reply, in real milliseconds. */
const LOOK_MS = 5_000;

const isDeleted = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;

/** The one door through which answers to an interaction leave. The first answer fixes what is possible later. */
export interface Reply {
  /** Says that an answer will come. Resolves with the message's id, where Discord tells it. */
  defer(options: { private: boolean }): Promise<string | undefined>;
  /** Says that the message whose button was pressed, or whose form was sent, will change. */
  deferReplacing(): Promise<void>;
  /** Answers, edits the deferred answer, or adds a private message to an answer that is given. */
  privately(message: Message): Promise<void>;
  /** Opens a form; only as the first answer. */
  ask(modal: APIModalInteractionResponseCallbackData): Promise<void>;
  /** Replaces the message whose button was pressed. */
  replace(message: Message): Promise<void>;
  /** Deletes the message whose button was pressed. */
  deleteMessage(): Promise<void>;
}

/** One for each interaction, because only one answer can be the first. */
export function createReply(interaction: RepliableInteraction): Reply {
  const firstAnswer = createFirstAnswer();
  let standing: DiscordMessage | undefined;

  /** Whether what stands as the reply can be ours: it still says nothing, or these words. */
  async function isOurs(words?: string): Promise<boolean> {
    try {
      standing = await within(LOOK_MS, undefined, () => interaction.fetchReply());
    } catch (error) {
      // Where nobody can look nothing speaks against it.
      return verdictOn(error) === 'passing';
    }
    return standing.flags.has(MessageFlags.Loading) || standing.content === words;
  }

  const answerFirst = (message: InteractionReplyOptions & { content: string }) =>
    firstAnswer.give(
      () => interaction.reply(message),
      () => isOurs(message.content),
    );

  return {
    async defer({ private: hidden }) {
      const answer = await firstAnswer.give(
        () =>
          interaction.deferReply({ withResponse: true, ...(hidden && { flags: MessageFlags.Ephemeral }) }),
        () => isOurs(),
      );
      if (answer) return answer.interaction.responseMessageId ?? undefined;
      interaction.deferred = true;
      if (!standing) await isOurs();
      return standing?.id;
    },

    async deferReplacing() {
      if (
        !interaction.isMessageComponent() &&
        !(interaction.isModalSubmit() && interaction.isFromMessage())
      ) {
        throw new Error('there is no message to replace');
      }
      await interaction.deferUpdate();
    },

    async privately(message) {
      const options = toAnswer(message);
      const hidden = { ...options, flags: MessageFlags.Ephemeral } as const;
      if (interaction.replied && !interaction.deferred) await interaction.followUp(hidden);
      else if (interaction.deferred || !(await answerFirst(hidden))) {
        interaction.deferred = true;
        await interaction.editReply(options);
      }
    },

    async ask(modal) {
      if (!('showModal' in interaction)) throw new Error('a form cannot be answered with a form');
      await interaction.showModal(modal);
    },

    async replace(message) {
      if (!interaction.isMessageComponent()) throw new Error('there is no message to replace');
      await interaction.update(toAnswer(message));
    },

    async deleteMessage() {
      if (!interaction.isMessageComponent()) throw new Error('there is no message to delete');
      await interaction.deferUpdate();
      // Where deleting fails, what is said about it must not replace the message.
      interaction.deferred = false;
      interaction.replied = true;
      await interaction.deleteReply().catch((error: unknown) => {
        if (!isDeleted(error)) throw error;
      });
    },
  };
}
