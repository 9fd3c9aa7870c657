import type { APIMessage } from 'discord-api-types/v10';
import type { Action } from '../page-server/protocol.ts';
import { type Connection, RequestError } from './connection.ts';
import type { PendingCommand, View } from './view.ts';

/** Commands and components that this user has sent and no bot has answered yet. */
export function createInteractions(options: { view: View; connection: Connection; redraw(): void }) {
  const { view, connection, redraw } = options;
  let commandCount = 0;

  function dismissCommand(id: number): void {
    view.pendingCommands = view.pendingCommands.filter((command) => command.id !== id);
    redraw();
  }

  return {
    dismissCommand,

    /** Sends a slash command. @throws {RequestError} */
    async invoke(action: Extract<Action, { do: 'invoke' }>, botId: string): Promise<void> {
      const id = ++commandCount;
      const pending: PendingCommand = { id, command: action.command, botId, at: new Date(), failure: null };
      view.pendingCommands = [...view.pendingCommands, pending];
      redraw();
      const answer = await connection.runAction<'invoke'>(action).catch((error: unknown) => {
        dismissCommand(id);
        throw error;
      });
      if (answer.kind !== 'failure') return dismissCommand(id);
      pending.failure = answer.text;
      redraw();
    },

    /** Clicks a button, or selects `values` in a menu. */
    async press(message: APIMessage, customId: string, values?: string[]): Promise<void> {
      view.pendingComponents.set(message.id, customId);
      view.failures.delete(message.id);
      redraw();
      try {
        const target = { messageId: message.id, customId };
        const answer = values
          ? await connection.runAction<'select'>({ do: 'select', ...target, values })
          : await connection.runAction<'press'>({ do: 'press', ...target });
        if (answer.kind === 'failure') view.failures.set(message.id, answer.text);
      } catch (error) {
        view.failures.set(
          message.id,
          error instanceof RequestError ? error.message : 'This interaction failed',
        );
      } finally {
        view.pendingComponents.delete(message.id);
        redraw();
      }
    },
  };
}

export type Interactions = ReturnType<typeof createInteractions>;
