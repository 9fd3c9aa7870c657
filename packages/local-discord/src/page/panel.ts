import { html, nothing, type TemplateResult } from 'lit';
import type { PanelRow } from '../page-server/protocol.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import type { View } from './view.ts';

/** How long a copy is confirmed, in milliseconds. */
const COPIED_MS = 1_600;

/** `abc••••••••••••••wxyz`. */
const mask = (secret: string) => `${secret.slice(0, 3)}${'•'.repeat(14)}${secret.slice(-4)}`;

/** What the host of the page shows of the user beside the chat. */
export function createPanel(options: { view: View; redraw(): void; announce(text: string): void }) {
  const { view, redraw, announce } = options;
  const revealed = new Set<string>();
  let copied: string | null = null;

  async function copy({ label, value }: PanelRow): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // A browser may forbid the clipboard; a revealed value can be selected.
      revealed.add(label);
      announce(view.words.panel.notCopied(label));
      redraw();
      return;
    }
    copied = label;
    announce(view.words.panel.copied(label));
    redraw();
    setTimeout(() => {
      copied = null;
      redraw();
    }, COPIED_MS);
  }

  function toggle({ label }: PanelRow): void {
    if (!revealed.delete(label)) revealed.add(label);
    redraw();
  }

  function revealButton(row: PanelRow): TemplateResult {
    const isRevealed = revealed.has(row.label);
    return html`<button
      class="tool"
      type="button"
      aria-pressed=${isRevealed ? 'true' : 'false'}
      aria-label=${view.words.panel.show(row.label)}
      title=${isRevealed ? view.words.panel.hide : view.words.panel.reveal}
      @click=${() => toggle(row)}
    >
      ${isRevealed ? icons.eyeOff : icons.eye}
    </button>`;
  }

  function copyButton(row: PanelRow): TemplateResult {
    return html`<button
      class="tool"
      type="button"
      aria-label=${view.words.panel.copyThis(row.label)}
      title=${view.words.panel.copy}
      @click=${() => copy(row)}
    >
      ${copied === row.label ? icons.check : icons.copy}
    </button>`;
  }

  function renderRow(row: PanelRow): TemplateResult {
    const { label, value, hint, copyable = false, secret = false } = row;
    const literal = copyable || secret;
    return html`<div class="panel-row ${literal ? 'literal' : ''}">
      <dt>${label}</dt>
      <dd>
        ${literal ? html`<code>${secret && !revealed.has(label) ? mask(value) : value}</code>` : markdown(view, value)}
        ${secret ? revealButton(row) : nothing} ${copyable ? copyButton(row) : nothing}
      </dd>
      ${hint ? html`<dd class="panel-hint">${markdown(view, hint)}</dd>` : nothing}
    </div>`;
  }

  return {
    /** For another user: nothing that one has revealed stays so for the next. */
    clear: () => revealed.clear(),

    /** What can be copied, folded: a form covers the panel, and may ask for just that. */
    renderFolded(): TemplateResult | typeof nothing {
      const { panel } = view;
      const copyable = panel?.rows.filter((row) => row.copyable) ?? [];
      if (!panel || copyable.length === 0) return nothing;
      return html`<details class="panel folded">
        <summary>${panel.title}</summary>
        <dl>
          ${copyable.map(renderRow)}
        </dl>
      </details>`;
    },

    render(): TemplateResult | typeof nothing {
      const { panel } = view;
      if (!panel) return nothing;
      return html`<section class="panel" aria-labelledby="panel-head">
        <h2 id="panel-head" class="list-head">${panel.title}</h2>
        <dl>
          ${panel.rows.map(renderRow)}
        </dl>
        ${panel.note ? html`<p class="panel-note">${panel.note}</p>` : nothing}
      </section>`;
    },
  };
}
