import { type Draft, readPills } from '../../command-draft.ts';
import { Refused } from '../connection.ts';
import type { Session } from '../session.ts';
import type { ComposerState, Place } from './state.ts';

/** Sends what stands in the composer, as a message or as a command. What could not be sent is given back, with why. */
export function createSending(options: {
  session: Session;
  state: ComposerState;
  goTo(place: Place): void;
  /** Empties the composer and takes the caret to the plain text. */
  cancel(): void;
  redraw(): void;
}): () => Promise<void> {
  const { session, state, goTo, cancel, redraw } = options;

  function fail(error: unknown, giveBack: (field: string | null) => void): void {
    if (!(error instanceof Refused)) throw error;
    giveBack(error.field);
    state.problem = { text: error.message, place: state.place, offline: error.offline };
    redraw();
  }

  async function say(channelId: string, text: string): Promise<void> {
    const content = text.trim();
    if (content === '') return;
    state.text = '';
    goTo('text');
    try {
      await session.act<'say'>({ do: 'say', channelId, content, uploads: [] });
    } catch (error) {
      fail(error, () => {
        state.text ||= text;
      });
    }
  }

  async function invoke(channelId: string, draft: Draft): Promise<void> {
    const read = readPills(draft);
    if ('problem' in read) {
      goTo(read.pill);
      state.problem = { text: read.problem, place: read.pill, offline: false };
      return;
    }
    cancel();
    try {
      const { path: command, command: owner } = draft.leaf;
      await session.invoke({ do: 'invoke', channelId, command, options: read.values }, owner.application.id);
    } catch (error) {
      fail(error, (field) => {
        state.draft ??= draft;
        goTo(draft.pills.find(({ option }) => option.name === field) ?? 'more');
      });
    }
  }

  return async () => {
    const channelId = session.view.channel?.id;
    if (!channelId) return;
    await (state.draft ? invoke(channelId, state.draft) : say(channelId, state.text));
  };
}
