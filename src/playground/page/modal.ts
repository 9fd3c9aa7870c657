import { type APIModalInteractionResponseCallbackComponent, ComponentType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { Refused } from './connection.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import { drawField, type Field, fieldProblem, readField } from './modal-field.ts';
import { avatarUrl } from './names.ts';
import type { Session } from './session.ts';

type Part = Field | { text: string };

/** The modal's parts in their order, both the labelled ones of today and the older rows. */
function partsOf(components: readonly APIModalInteractionResponseCallbackComponent[]): Part[] {
  return components.flatMap((component): Part[] => {
    switch (component.type) {
      case ComponentType.TextDisplay:
        return [{ text: component.content }];
      case ComponentType.Label: {
        const { label, description, component: input } = component;
        return [{ customId: input.custom_id, label, description: description ?? null, input }];
      }
      case ComponentType.ActionRow:
        return component.components.map((input) => ({
          customId: input.custom_id,
          label: input.label ?? '',
          description: null,
          input,
        }));
      default:
        return [];
    }
  });
}

/** A text that a closing dialog gives the focus back to has no caret in Chromium, and takes no keys, until focused anew. */
function restoreCaret(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.blur();
  field.focus();
}

/** The window that a bot opens to ask for something. Native `dialog`: focus stays inside, Escape closes. */
export function createModal(options: { session: Session; redraw(): void }) {
  const { session, redraw } = options;
  const dialog = createRef<HTMLDialogElement>();
  let shownId: string | undefined;
  let problems = new Map<string, string>();
  let failure: string | null = null;
  let sending = false;

  function close(): void {
    const open = session.view.modal;
    if (open) {
      void session
        .act<'close-modal'>({ do: 'close-modal', interactionId: open.interactionId })
        .catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
    }
    session.closeModal();
  }

  async function submit(event: SubmitEvent, fields: Field[]): Promise<void> {
    event.preventDefault();
    const open = session.view.modal;
    const form = event.currentTarget;
    if (!open || sending || !(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    const values = Object.fromEntries(fields.map((field) => [field.customId, readField(data, field)]));
    problems = new Map();
    for (const field of fields) {
      const problem = fieldProblem(field, values[field.customId] ?? '');
      if (problem) problems.set(field.customId, problem);
    }
    failure = null;
    const [firstProblem] = problems.keys();
    if (firstProblem !== undefined) {
      redraw();
      document.getElementById(`field-${firstProblem}`)?.focus();
      return;
    }
    sending = true;
    redraw();
    try {
      const { interactionId } = open;
      const answer = await session.act<'submit-modal'>({ do: 'submit-modal', interactionId, values });
      if (answer.kind === 'failure') failure = 'Something went wrong. Try again.';
      else if (session.view.modal?.interactionId === interactionId) session.closeModal();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.field) problems.set(error.field, error.message);
      else failure = error.message;
    } finally {
      sending = false;
      redraw();
    }
  }

  return {
    /** Call after every drawing of the page. */
    settle(): void {
      const open = session.view.modal?.interactionId;
      if (open === shownId) return;
      shownId = open;
      problems = new Map();
      failure = null;
      if (open) {
        dialog.value?.showModal();
        dialog.value?.querySelector<HTMLElement>('input, textarea, select')?.focus();
      } else {
        dialog.value?.close();
        restoreCaret();
      }
    },

    draw(): TemplateResult {
      const open = session.view.modal;
      const parts = open ? partsOf(open.modal.components) : [];
      const fields = parts.filter((part): part is Field => 'input' in part);
      const bot = session.view.bots[0];
      return html`<dialog
        class="modal"
        aria-labelledby="modal-title"
        ${ref(dialog)}
        @cancel=${(event: Event) => {
          event.preventDefault();
          close();
        }}
      >
        ${
          open
            ? html`<form novalidate @submit=${(event: SubmitEvent) => submit(event, fields)}>
                <header class="modal-head">
                  ${bot ? html`<img class="avatar small" src=${avatarUrl(bot)} alt="" />` : nothing}
                  <h2 id="modal-title">${open.modal.title}</h2>
                  <button class="tool" type="button" aria-label="Close" @click=${close}>${icons.close}</button>
                </header>
                <div class="modal-body">
                  ${failure ? html`<p class="modal-failure" role="alert">${icons.warning}${failure}</p>` : nothing}
                  ${parts.map((part) =>
                    'input' in part
                      ? drawField(session.view, part, problems.get(part.customId) ?? null)
                      : html`<div class="modal-text">${markdown(session.view, part.text)}</div>`,
                  )}
                  <p class="modal-note">This form will be sent to ${bot?.name ?? 'the bot'}.</p>
                </div>
                <footer class="modal-foot">
                  <button class="button secondary" type="button" @click=${close}>Cancel</button>
                  <button class="button primary ${sending ? 'waiting' : ''}" type="submit" aria-busy=${sending ? 'true' : 'false'}>
                    <span>Submit</span>
                  </button>
                </footer>
              </form>`
            : nothing
        }
      </dialog>`;
    },
  };
}
