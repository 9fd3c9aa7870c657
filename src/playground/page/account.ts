import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';
import type { View } from './view.ts';

/** How long the mark of a finished copy stays, in milliseconds. */
const COPIED_MS = 1_600;

/** The person's account with the playground's image service: what a Discord user has elsewhere, shown beside the chat. */
export function createAccountPanel(options: { view: View; redraw(): void; announce(text: string): void }) {
  const shown = new Set<string>();
  let copied: string | null = null;

  async function copy(name: string, secret: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
    } catch {
      // A browser may forbid the clipboard: what is shown can be copied by hand.
      shown.add(name);
      options.announce(`The browser does not allow copying: the ${name.toLowerCase()} is shown instead`);
      options.redraw();
      return;
    }
    copied = name;
    options.announce(`${name} copied`);
    options.redraw();
    setTimeout(() => {
      copied = null;
      options.redraw();
    }, COPIED_MS);
  }

  function secret(name: string, value: string, advice: string): TemplateResult {
    const open = shown.has(name);
    return html`<div class="secret">
      <dt>${name}</dt>
      <dd>
        <code class="secret-value">${open ? value : `${value.slice(0, 3)}${'•'.repeat(14)}${value.slice(-4)}`}</code>
        <button
          class="tool"
          type="button"
          aria-pressed=${open ? 'true' : 'false'}
          aria-label=${`Show ${name.toLowerCase()}`}
          title=${open ? 'Hide' : 'Show'}
          @click=${() => {
            if (!shown.delete(name)) shown.add(name);
            options.redraw();
          }}
        >
          ${open ? icons.eyeOff : icons.eye}
        </button>
        <button
          class="tool"
          type="button"
          aria-label=${`Copy ${name.toLowerCase()}`}
          title="Copy"
          @click=${() => copy(name, value)}
        >
          ${copied === name ? icons.check : icons.copy}
        </button>
      </dd>
      <p>${advice}</p>
    </div>`;
  }

  return {
    draw(): TemplateResult | typeof nothing {
      const { account } = options.view;
      if (!account) return nothing;
      return html`<section class="account" aria-labelledby="account-head">
        <h2 id="account-head" class="list-head">Image service account</h2>
        <dl>
          <div class="account-line">
            <dt>${account.username}</dt>
            <dd><strong>${new Intl.NumberFormat().format(account.balance)}</strong> credits</dd>
          </div>
          ${
            account.apiKey
              ? secret('Key', account.apiKey, 'What /apikey link asks for.')
              : html`<div class="secret">
                  <dt>Key</dt>
                  <dd><span class="none">none yet</span></dd>
                  <p>Run <code class="inline-code">/apikey generate</code> and paste the login token.</p>
                </div>`
          }
          ${secret('Login token', account.loginToken, 'What /apikey generate asks for.')}
        </dl>
        <p class="account-note">Made by this playground; of no use anywhere else.</p>
      </section>`;
    },
  };
}
