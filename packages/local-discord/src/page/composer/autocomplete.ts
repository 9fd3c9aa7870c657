import type { Choice } from './command-form.ts';

/** Debounce: how long after the last key the bot is asked, in milliseconds. */
const DEBOUNCE_MS = 180;

export interface AutocompleteState {
  choices: Choice[];
  status: 'idle' | 'loading' | 'failed';
}

/** What a bot suggests for an option. An answer to an outdated request is dropped. */
export function createAutocomplete(options: {
  ask(): Promise<{ choices: { name: string; value: string | number }[]; failed: boolean }>;
  redraw(): void;
}) {
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state: AutocompleteState = { choices: [], status: 'idle' };

  function reset(): void {
    clearTimeout(timer);
    latest++;
    state.choices = [];
    state.status = 'idle';
  }

  return {
    state,
    reset,
    ask(): void {
      clearTimeout(timer);
      const request = ++latest;
      state.status = 'loading';
      timer = setTimeout(async () => {
        const answer = await options.ask().catch(() => ({ choices: [], failed: true }));
        if (request !== latest) return;
        state.choices = answer.choices.map(({ name, value }) => ({ label: name, value }));
        state.status = answer.failed ? 'failed' : 'idle';
        options.redraw();
      }, DEBOUNCE_MS);
    },
  };
}
