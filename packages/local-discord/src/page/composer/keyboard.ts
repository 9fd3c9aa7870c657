import { readField } from './command-form.ts';
import type { Composer } from './composer.ts';
import { type TextControl, textControl } from './text-control.ts';

/** Whether Enter submits instead of picking a suggestion: behind the last option, and where a value was picked. */
function enterSubmits({ state: { caret, more }, words }: Composer): boolean {
  if (caret === 'more') return more.trim() === '';
  return typeof caret !== 'string' && caret.picked !== null && !('problem' in readField(caret, words()));
}

/** The keys that mean the same wherever the caret is. Returns whether it handled the key. */
export function handleKey(composer: Composer, event: KeyboardEvent): boolean {
  const { state } = composer;
  const items = composer.suggestions()?.items ?? [];
  const highlighted = items[state.highlighted];
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
      // Behind the last option, Tab leaves the composer unless something was typed there.
      if (event.shiftKey || !highlighted || (state.caret === 'more' && state.more === '')) return false;
      highlighted.pick();
      return true;
    case 'Enter':
      if (event.shiftKey) return false;
      if (highlighted && !enterSubmits(composer)) highlighted.pick();
      else void composer.submit();
      return true;
    case 'Escape':
      if (state.form) composer.cancel();
      else if (items.length > 0) composer.closeList();
      else return false;
      return true;
    default:
      return false;
  }
}

/** Handles a key of a text control. `special`: the keys that mean something in this control alone. */
export function onKeyDown(
  composer: Composer,
  event: KeyboardEvent,
  special?: (control: TextControl) => boolean,
): void {
  if (event.isComposing) return;
  if (handleKey(composer, event) || special?.(textControl(event))) event.preventDefault();
}
