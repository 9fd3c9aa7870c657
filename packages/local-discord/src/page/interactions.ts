import type { APIMessage } from 'discord-api-types/v10';
import type { Action, PageEvent } from '../page-server/protocol.ts';
import type { InteractionResult, OpenModal, VisibleCommand } from '../user-client/shapes.ts';
import { type Connection, RequestError } from './connection.ts';
import { tab } from './tab.ts';
import type { PendingCommand, View } from './view.ts';

type WithoutNonce<Name extends 'invoke' | 'invoke-on'> = Name extends Name
  ? Omit<Extract<Action, { do: Name }>, 'nonce'>
  : never;

/** Commands and components that this user has sent and no bot has answered yet. */
export function createInteractions(options: { view: View; connection: Connection; redraw(): void }) {
  const { view, connection, redraw } = options;

  function dismissCommand(nonce: string): void {
    view.pendingCommands = view.pendingCommands.filter((command) => command.nonce !== nonce);
    redraw();
  }

  /** Whose answer stands among the messages is pending no more: of the two, exactly one is shown. */
  function endAnswered(): void {
    if (view.pendingCommands.length === 0) return;
    const answered = new Set(view.channel?.messages.map((message) => message.interaction_metadata?.id));
    view.pendingCommands = view.pendingCommands.filter(
      ({ interactionId }) => interactionId === null || !answered.has(interactionId),
    );
  }

  /** A form opens in the tab that asked for it, and in no other of the same user. */
  function showForm(
    answer: InteractionResult,
    from: Pick<OpenModal, 'channelId' | 'applicationId'>,
    userId: string | undefined,
  ): void {
    if (answer.kind !== 'modal' || view.snapshot?.userId !== userId) return;
    view.modal = { ...from, interactionId: answer.interactionId, modal: answer.modal };
    tab.saveModal(answer.interactionId);
  }

  /** @throws {RequestError} */
  async function sendCommand(
    action: WithoutNonce<'invoke' | 'invoke-on'>,
    shown: Pick<PendingCommand, 'command' | 'applicationId'>,
  ): Promise<void> {
    const nonce = crypto.randomUUID();
    const userId = view.snapshot?.userId;
    const pending: PendingCommand = { ...shown, nonce, interactionId: null, at: new Date(), failure: null };
    view.pendingCommands = [...view.pendingCommands, pending];
    redraw();
    const answer = await connection
      .runAction<'invoke' | 'invoke-on'>({ ...action, nonce })
      .catch((error: unknown) => {
        dismissCommand(nonce);
        throw error;
      });
    showForm(answer, { channelId: action.channelId, applicationId: shown.applicationId }, userId);
    pending.interactionId = answer.interactionId;
    if (answer.kind === 'failure') pending.failure = view.words.messages.noAnswer;
    else if (answer.kind === 'message') endAnswered();
    else dismissCommand(nonce);
    redraw();
  }

  /** Says below a message why something could not be done with it. */
  function showRefusal(messageId: string, error: unknown): void {
    if (!(error instanceof RequestError)) throw error;
    view.failures.set(messageId, error.message);
    redraw();
  }

  return {
    dismissCommand,
    endAnswered,

    /** The interaction of a command is known by its nonce in the tab that used it. */
    sent({ nonce, interactionId }: Extract<PageEvent, { type: 'interaction-sent' }>): void {
      const pending = view.pendingCommands.find((command) => command.nonce === nonce);
      if (pending) pending.interactionId = interactionId;
    },

    /** 'Dismiss message' under an ephemeral answer. */
    dismiss: (messageId: string): Promise<unknown> =>
      connection
        .runAction<'dismiss'>({ do: 'dismiss', messageId })
        .catch((error: unknown) => showRefusal(messageId, error)),

    react: (messageId: string, emoji: string, on: boolean): Promise<unknown> =>
      connection
        .runAction<'react'>({ do: 'react', messageId, emoji, on })
        .catch((error: unknown) => showRefusal(messageId, error)),

    sendCommand,

    /** Uses a command for messages on a message of the open channel. */
    async invokeOn(
      { id, name, name_localized, application }: VisibleCommand,
      messageId: string,
    ): Promise<void> {
      const channelId = view.channel?.id;
      if (!channelId) return;
      try {
        await sendCommand(
          { do: 'invoke-on', channelId, command: id, messageId },
          { command: name_localized ?? name, applicationId: application.id },
        );
      } catch (error) {
        showRefusal(messageId, error);
      }
    },

    /** Clicks a button, or selects `values` in a menu. */
    async press(message: APIMessage, customId: string, values?: string[]): Promise<void> {
      const userId = view.snapshot?.userId;
      view.pendingComponents.set(message.id, customId);
      view.failures.delete(message.id);
      redraw();
      try {
        const target = { messageId: message.id, customId };
        const answer = values
          ? await connection.runAction<'select'>({ do: 'select', ...target, values })
          : await connection.runAction<'press'>({ do: 'press', ...target });
        if (answer.kind === 'failure') view.failures.set(message.id, view.words.messages.failed);
        const applicationId = message.application_id ?? message.author.id;
        showForm(answer, { channelId: message.channel_id, applicationId }, userId);
      } catch (error) {
        showRefusal(message.id, error);
      } finally {
        view.pendingComponents.delete(message.id);
        redraw();
      }
    },
  };
}
