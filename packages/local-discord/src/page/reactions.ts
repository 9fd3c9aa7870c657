import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import type { Store } from './store.ts';

/** Below a message, each a button that adds the user's own or takes it back. */
export function renderReactions(
  store: Store,
  { id, reactions }: APIMessage,
): TemplateResult | typeof nothing {
  if (!reactions) return nothing;
  return html`<div slot="reactions" class="reactions">
    ${reactions.map(
      ({ emoji: { name }, count, me }) => html`<button
        class="reaction"
        type="button"
        aria-pressed=${me ? 'true' : 'false'}
        @click=${() => void store.react(id, name ?? '', !me)}
      >
        <span class="emoji">${name}</span> ${count}
      </button>`,
    )}
  </div>`;
}
