import type { Choice } from '../../command-draft.ts';

/** How long the page waits after a key before it asks the bot, in milliseconds. */
const PAUSE_MS = 180;

export interface AutocompleteState {
  choices: Choice[];
  status: 'idle' | 'loading' | 'failed';
}

/** What a bot suggests for an option. An answer that comes after the next question is dropped. */
export function createAutocomplete(options: {
  ask(): Promise<{ choices: { name: string; value: string | number }[]; failed: boolean }>;
  redraw(): void;
}) {
  let question = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state: AutocompleteState = { choices: [], status: 'idle' };

  function forget(): void {
    clearTimeout(timer);
    question++;
    state.choices = [];
    state.status = 'idle';
  }

  return {
    state,
    forget,
    ask(): void {
      clearTimeout(timer);
      const mine = ++question;
      state.status = 'loading';
      timer = setTimeout(async () => {
        const answer = await options.ask().catch(() => ({ choices: [], failed: true }));
        if (mine !== question) return;
        state.choices = answer.choices.map(({ name, value }) => ({ label: name, value }));
        state.status = answer.failed ? 'failed' : 'idle';
        options.redraw();
      }, PAUSE_MS);
    },
  };
}
