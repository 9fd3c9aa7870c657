import { ref } from 'lit/directives/ref.js';
import type { Composer } from './composer.ts';
import { takeKey } from './keys.ts';
import type { Place } from './state.ts';
import { LIST_ID, lineId } from './suggestion-list.ts';

/** What can be typed into. */
export type Field = HTMLInputElement | HTMLTextAreaElement;

export const placeId = (place: Place) =>
  typeof place === 'string' ? `composer-${place}` : `composer-option-${place.option.name}`;

export function fieldOf({ currentTarget: field }: Event): Field {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field;
  throw new TypeError('What listens to typing must be a text field.');
}

/** Tells those who do not see it that the field at `place` steers the list above, and which line is highlighted. */
export function steersList(composer: Composer, place: Place) {
  const { state } = composer;
  const open = state.place === place && composer.suggestions() !== null;
  const attributes = {
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-controls': LIST_ID,
    'aria-expanded': String(open),
    'aria-activedescendant': open && state.highlighted >= 0 ? lineId(state.highlighted) : '',
  };
  return ref((field) => {
    for (const [name, value] of Object.entries(attributes)) field?.setAttribute(name, value);
  });
}

/** `own` are the keys that mean something in this field alone; it answers whether it took the key. */
export function onKey(composer: Composer, event: KeyboardEvent, own?: (field: Field) => boolean): void {
  if (event.isComposing) return;
  if (takeKey(composer, event) || own?.(fieldOf(event))) event.preventDefault();
}
