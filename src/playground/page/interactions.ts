import type { APIMessage } from 'discord-api-types/v10';
import type { Action } from '../wire.ts';
import { type Connection, Refused } from './connection.ts';
import type { Attempt, View } from './view.ts';

/** What this person started and a bot has not answered yet: shown as on its way, then as failed or no more. */
export function createInteractions(options: { view: View; connection: Connection; redraw(): void }) {
  const { view, connection, redraw } = options;
  let attemptCount = 0;

  function dismissAttempt(id: number): void {
    view.attempts = view.attempts.filter((attempt) => attempt.id !== id);
    redraw();
  }

  return {
    dismissAttempt,

    /** Sends a slash command. @throws {Refused} */
    async invoke(action: Extract<Action, { do: 'invoke' }>, botId: string): Promise<void> {
      const id = ++attemptCount;
      const attempt: Attempt = { id, command: action.command, botId, at: new Date(), failure: null };
      view.attempts = [...view.attempts, attempt];
      redraw();
      const answer = await connection.act<'invoke'>(action).catch((error: unknown) => {
        dismissAttempt(id);
        throw error;
      });
      if (answer.kind !== 'failure') return dismissAttempt(id);
      attempt.failure = answer.text;
      redraw();
    },

    /** Presses a button, or picks `values` in a menu. */
    async press(message: APIMessage, customId: string, values?: string[]): Promise<void> {
      view.pressed.set(message.id, customId);
      view.failures.delete(message.id);
      redraw();
      try {
        const target = { messageId: message.id, customId };
        const answer = values
          ? await connection.act<'select'>({ do: 'select', ...target, values })
          : await connection.act<'press'>({ do: 'press', ...target });
        if (answer.kind === 'failure') view.failures.set(message.id, answer.text);
      } catch (error) {
        view.failures.set(message.id, error instanceof Refused ? error.message : 'This interaction failed');
      } finally {
        view.pressed.delete(message.id);
        redraw();
      }
    },
  };
}

export type Interactions = ReturnType<typeof createInteractions>;
