import {
  type APIModalInteractionResponseCallbackComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { createRef, ref } from 'lit/directives/ref.js';
import type { OpenModal } from '../user-client/shapes.ts';
import { RequestError } from './connection.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import {
  fieldProblem,
  focusField,
  isFileUpload,
  type ModalField,
  readField,
  renderField,
} from './modal-field.ts';
import { createModalFiles } from './modal-files.ts';
import type { Store } from './store.ts';
import { avatarUrl } from './urls.ts';

type Part = ModalField | { text: string };

/** The modal's parts in order, from labels or from the deprecated action rows. */
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

const fieldsOf = (open: OpenModal | null): ModalField[] =>
  partsOf(open?.modal.components ?? []).filter((part): part is ModalField => 'input' in part);

/** A line that has to be typed and of which nothing is there yet: a key, a token. */
const asksForLine = (part: Part): boolean =>
  'input' in part &&
  part.input.type === ComponentType.TextInput &&
  part.input.style === TextInputStyle.Short &&
  part.input.required !== false &&
  !part.input.value;

/** In Chromium, a text control that a closing dialog returns the focus to takes no keys until it is focused again. */
function restoreCaret(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.blur();
  field.focus();
}

/** The modal of a bot. A native `dialog`: focus stays inside, Escape closes it. */
export function createModal(options: {
  store: Store;
  redraw(): void;
  /** What stands below a line that has to be typed, to copy it from. */
  renderAid(): TemplateResult | typeof nothing;
}) {
  const { store, redraw, renderAid } = options;
  const dialog = createRef<HTMLDialogElement>();
  let renderedId: string | undefined;
  let problems = new Map<string, string>();
  let failure: string | null = null;
  /** The form that is on its way, which may be closed by now. */
  let sending: string | null = null;
  const files = createModalFiles({
    view: store.view,
    say: (customId, problem) => {
      if (problem === null) problems.delete(customId);
      else problems.set(customId, problem);
    },
    redraw,
  });

  function close(): void {
    const open = store.view.modal;
    if (open) {
      void store
        .runAction<'close-modal'>({ do: 'close-modal', interactionId: open.interactionId })
        .catch((error: unknown) => {
          if (!(error instanceof RequestError)) throw error;
        });
    }
    store.closeModal();
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const open = store.view.modal;
    const form = event.currentTarget;
    const fields = fieldsOf(open);
    if (!open || !(form instanceof HTMLFormElement)) return;
    const { interactionId } = open;
    const isOpen = () => store.view.modal?.interactionId === interactionId;
    await files.read();
    // Enter may come again while a file is read.
    if (sending === interactionId || !isOpen()) return;
    const data = new FormData(form);
    const values = Object.fromEntries(fields.map((field) => [field.customId, readField(data, field, files)]));
    problems = new Map();
    for (const field of fields) {
      const problem = fieldProblem(store.view, field, values[field.customId] ?? '');
      if (problem) problems.set(field.customId, problem);
    }
    failure = null;
    const [firstProblem] = problems.keys();
    if (firstProblem !== undefined) {
      redraw();
      focusField(firstProblem);
      return;
    }
    sending = interactionId;
    redraw();
    try {
      const answer = await store.runAction<'submit-modal'>({ do: 'submit-modal', interactionId, values });
      if (!isOpen()) return;
      if (answer.kind === 'failure') failure = store.view.words.form.failed;
      else store.closeModal();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!isOpen()) return;
      if (error.field) problems.set(error.field, error.message);
      else failure = error.message;
    } finally {
      if (sending === interactionId) sending = null;
      redraw();
    }
  }

  return {
    /** Files that were pasted or dropped: for the field at `target`, else for the first one that takes files. */
    takeFiles(dropped: readonly File[], target: EventTarget | null): void {
      const fields = fieldsOf(store.view.modal).filter(isFileUpload);
      const at =
        target instanceof Element ? target.closest<HTMLElement>('[data-field]')?.dataset.field : undefined;
      const field = fields.find(({ customId }) => customId === at) ?? fields[0];
      if (field) files.add(field, dropped);
    },

    /** Call after every render of the page. */
    afterRender(): void {
      const open = store.view.modal?.interactionId;
      if (open === renderedId) return;
      renderedId = open;
      problems = new Map();
      failure = null;
      files.clear();
      if (open) {
        dialog.value?.showModal();
        const field = dialog.value?.querySelector<HTMLElement>('input, textarea, select');
        field?.focus();
        // Behind what a form is filled in with.
        if (field instanceof HTMLTextAreaElement)
          field.setSelectionRange(field.value.length, field.value.length);
      } else {
        dialog.value?.close();
        restoreCaret();
      }
    },

    render(): TemplateResult {
      const words = store.view.words.form;
      const open = store.view.modal;
      const parts = open ? partsOf(open.modal.components) : [];
      const bot = store.view.bots.find(({ id }) => id === open?.applicationId);
      const busy = sending !== null && sending === open?.interactionId;
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
            ? keyed(
                open.interactionId,
                html`<form novalidate @submit=${(event: SubmitEvent) => submit(event)}>
                <header class="modal-head">
                  ${bot ? html`<img class="avatar small" src=${avatarUrl(bot)} alt="" />` : nothing}
                  <h2 id="modal-title">${open.modal.title}</h2>
                  <button class="tool" type="button" aria-label=${words.close} @click=${close}>${icons.close}</button>
                </header>
                <div class="modal-body">
                  ${failure ? html`<p class="modal-failure" role="alert">${icons.warning}${failure}</p>` : nothing}
                  ${parts.map((part) =>
                    'input' in part
                      ? renderField(store.view, part, { problem: problems.get(part.customId) ?? null, files })
                      : html`<div class="modal-text">${markdown(store.view, part.text)}</div>`,
                  )}
                  ${parts.some(asksForLine) ? renderAid() : nothing}
                  <p class="modal-note">${words.sentTo(bot?.name ?? words.theBot)}</p>
                </div>
                <footer class="modal-foot">
                  <button class="button secondary" type="button" @click=${close}>${words.cancel}</button>
                  <button class="button primary ${busy ? 'pending' : ''}" type="submit" aria-busy=${busy ? 'true' : 'false'}>
                    <span>${words.submit}</span>
                  </button>
                </footer>
              </form>`,
              )
            : nothing
        }
      </dialog>`;
    },
  };
}
