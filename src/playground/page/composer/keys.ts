import { readPill } from '../../command-draft.ts';
import type { Composer } from './composer.ts';
import type { ComposerState } from './state.ts';

/** Enter sends rather than takes a line: behind the last option, and where the value stands already. */
function sendsAtOnce({ place, more }: ComposerState): boolean {
  if (place === 'more') return more.trim() === '';
  return typeof place !== 'string' && place.picked !== null && !('problem' in readPill(place));
}

/** The keys that mean the same wherever the caret is. Answers whether it took the key. */
export function takeKey(composer: Composer, event: KeyboardEvent): boolean {
  const { state } = composer;
  const items = composer.suggestions()?.items ?? [];
  const line = items[state.highlighted];
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      if (items.length === 0) return false;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const from = state.highlighted < 0 && step < 0 ? 0 : state.highlighted;
      composer.highlight((from + step + items.length) % items.length);
      return true;
    }
    case 'Tab':
      // Behind the last option, Tab goes on through the page unless something was typed there.
      if (event.shiftKey || !line || (state.place === 'more' && state.more === '')) return false;
      line.pick();
      return true;
    case 'Enter':
      if (event.shiftKey) return false;
      if (line && !sendsAtOnce(state)) line.pick();
      else void composer.send();
      return true;
    case 'Escape':
      if (state.draft) composer.cancel();
      else if (items.length > 0) composer.closeList();
      else return false;
      return true;
    default:
      return false;
  }
}
