import type { Composer } from './composer.ts';
import { type TextControl, textControl } from './text-control.ts';

/** The keys that mean the same wherever the caret is. Returns whether it handled the key. */
export function handleKey(composer: Composer, event: KeyboardEvent): boolean {
  const { state } = composer;
  const items = composer.suggestions()?.items ?? [];
  const highlighted = items[state.highlighted];
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      if (items.length === 0) return event.key === 'ArrowUp' && composer.restore();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const from = state.highlighted < 0 && step < 0 ? 0 : state.highlighted;
      composer.highlight((from + step + items.length) % items.length);
      return true;
    }
    case 'Tab':
      if (event.shiftKey || !highlighted) return false;
      highlighted.pick();
      return true;
    case 'Enter':
      if (event.shiftKey) return false;
      if (highlighted) highlighted.pick();
      else void composer.submit();
      return true;
    case 'Escape':
      if (composer.suggestions()) composer.closeList();
      else if (state.form) composer.cancel();
      else return false;
      return true;
    default:
      return false;
  }
}

/**
 * `keyCode` of a key that an input method takes.
 * https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode
 */
const INPUT_METHOD_KEY = 229;

/** Handles a key of a text control. `special`: the keys that mean something in this control alone. */
export function onKeyDown(
  composer: Composer,
  event: KeyboardEvent,
  special?: (control: TextControl) => boolean,
): void {
  // Before version 27, Safari ends a composition before the Enter that confirms it: https://webkit.org/b/165004
  if (event.isComposing || event.keyCode === INPUT_METHOD_KEY) return;
  if (handleKey(composer, event) || special?.(textControl(event))) event.preventDefault();
}
