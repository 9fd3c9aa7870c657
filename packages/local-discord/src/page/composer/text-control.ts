import { ref } from 'lit/directives/ref.js';
import type { Composer } from './composer.ts';
import type { Caret } from './composer-state.ts';
import { itemId, LIST_ID } from './suggestion-list.ts';

export type TextControl = HTMLInputElement | HTMLTextAreaElement;

export const controlId = (caret: Caret) =>
  typeof caret === 'string' ? `composer-${caret}` : `composer-option-${caret.option.name}`;

/** Size of a text where the browser does not fit its control to it: in Firefox before 152, and Safari before 26.2. */
const MOST_ROWS = 6;
export const MOST_COLUMNS = 60;

export function rowsOf(text: string): number {
  const rows = text.split('\n').map((line) => Math.ceil(line.length / MOST_COLUMNS) || 1);
  return Math.min(
    MOST_ROWS,
    rows.reduce((sum, more) => sum + more),
  );
}

export function textControl({ currentTarget: control }: Event): TextControl {
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) return control;
  throw new TypeError('The event has no text control.');
}

/**
 * The ARIA attributes that tie the control at `caret` to the suggestion list. Several lines of text are no combobox,
 * by 'ARIA in HTML'.
 */
export function combobox(composer: Composer, caret: Caret) {
  const { state } = composer;
  const open = state.caret === caret && composer.suggestions() !== null;
  const attributes = {
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': LIST_ID,
    'aria-activedescendant': open && state.highlighted >= 0 ? itemId(state.highlighted) : '',
  };
  return ref((control) => {
    for (const [name, value] of Object.entries(attributes)) control?.setAttribute(name, value);
    if (!(control instanceof HTMLInputElement)) return;
    control.setAttribute('role', 'combobox');
    control.setAttribute('aria-expanded', String(open));
  });
}
