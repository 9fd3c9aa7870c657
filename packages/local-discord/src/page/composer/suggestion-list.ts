import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** One item of the list above the composer. */
interface Suggestion {
  key: string;
  label: string;
  hint?: string;
  /** Names of a command's options, shown while the item is highlighted. */
  options?: readonly string[];
  /** Shown at the end of the item. */
  source?: string;
  imageUrl?: string;
  pick(): void;
}

export interface SuggestionList {
  heading: string | null;
  items: Suggestion[];
  /** Shown instead of items: still loading, or nothing found. */
  note: string | null;
}

export const LIST_ID = 'composer-list';
export const itemId = (index: number) => `${LIST_ID}-${index}`;

/** The list above the composer. Arrow keys move the highlight while the focus stays in the text. */
export function suggestionList(
  list: SuggestionList,
  label: string,
  highlighted: number,
  { highlight, onKeyDown }: { highlight(at: number): void; onKeyDown(event: KeyboardEvent): void },
) {
  return html`<div class="suggestions">
    ${list.heading ? html`<div class="list-head">${list.heading}</div>` : nothing}
    <div id=${LIST_ID} class="suggestions-list" role="listbox" aria-label=${label}
      tabindex="0"
      aria-activedescendant=${highlighted < 0 ? '' : itemId(highlighted)}
      @keydown=${onKeyDown}
    >
      ${repeat(
        list.items,
        ({ key }) => key,
        (item, index) =>
          html`<div
            id=${itemId(index)}
            class="suggestion"
            role="option"
            aria-selected=${index === highlighted}
            @pointermove=${() => index !== highlighted && highlight(index)}
            @mousedown=${(event: Event) => event.preventDefault()}
            @click=${() => item.pick()}
          >
            ${item.imageUrl ? html`<img class="avatar small" src=${item.imageUrl} alt="" />` : nothing}
            <span class="suggestion-text">
              <span class="suggestion-label"
                ><strong>${item.label}</strong>${
                  index === highlighted ? item.options?.map((name) => html`<kbd>${name}</kbd>`) : nothing
                }</span
              >${item.hint ? html`<span>${item.hint}</span>` : nothing}
            </span>
            ${item.source ? html`<span class="suggestion-source">${item.source}</span>` : nothing}
          </div>`,
      )}
    </div>
    ${list.note ? html`<p class="suggestions-note">${list.note}</p>` : nothing}
  </div>`;
}
