import { ref } from 'lit/directives/ref.js';
import type { Composer } from './composer.ts';
import type { Caret } from './composer-state.ts';
import { itemId, LIST_ID } from './suggestion-list.ts';

export type TextControl = HTMLInputElement | HTMLTextAreaElement;

export const controlId = (caret: Caret) =>
  typeof caret === 'string' ? `composer-${caret}` : `composer-option-${caret.option.name}`;

export function textControl({ currentTarget: control }: Event): TextControl {
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) return control;
  throw new TypeError('The event has no text control.');
}

/** The ARIA attributes that make the control at `caret` the combobox of the suggestion list. */
export function combobox(composer: Composer, caret: Caret) {
  const { state } = composer;
  const open = state.caret === caret && composer.suggestions() !== null;
  const attributes = {
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-controls': LIST_ID,
    'aria-expanded': String(open),
    'aria-activedescendant': open && state.highlighted >= 0 ? itemId(state.highlighted) : '',
  };
  return ref((control) => {
    for (const [name, value] of Object.entries(attributes)) control?.setAttribute(name, value);
  });
}
