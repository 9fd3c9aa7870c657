import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { Photo } from './attachments.ts';
import { icons } from './icons.ts';
import type { View } from './view.ts';

/** Pictures at full size above the page: arrow keys step through them, Escape closes, and each can be saved. */
export function createLightbox({ view, redraw }: { view: View; redraw(): void }) {
  const dialog = createRef<HTMLDialogElement>();
  let photos: Photo[] = [];
  let at = 0;

  const step = (by: number) => {
    at = (at + by + photos.length) % photos.length;
    redraw();
  };
  const close = () => dialog.value?.close();

  return {
    open(list: Photo[], start: number): void {
      photos = list;
      at = start;
      redraw();
      dialog.value?.showModal();
    },

    render(): TemplateResult {
      const words = view.words.picture;
      const photo = photos[at];
      return html`<dialog
        class="lightbox"
        aria-label=${words.one}
        ${ref(dialog)}
        @click=${(event: Event) => event.target === dialog.value && close()}
        @keydown=${(event: KeyboardEvent) => {
          if (photos.length < 2) return;
          if (event.key === 'ArrowLeft') step(-1);
          if (event.key === 'ArrowRight') step(1);
        }}
        @close=${() => {
          photos = [];
          redraw();
        }}
      >
        ${
          photo
            ? html`<div class="lightbox-bar">
                  <span class="lightbox-name one-line">${photo.name}</span>
                  ${
                    photos.length > 1
                      ? html`<span>${at + 1} / ${photos.length}</span>
                          <button class="tool" aria-label=${words.previous} @click=${() => step(-1)}>${icons.left}</button>
                          <button class="tool" aria-label=${words.next} @click=${() => step(1)}>${icons.right}</button>`
                      : nothing
                  }
                  <a class="tool" href=${photo.url} download=${photo.name} aria-label=${words.save} title=${words.save}
                    >${icons.download}</a
                  >
                  <a class="tool" href=${photo.url} target="_blank" rel="noopener" aria-label=${words.newTab} title=${words.newTab}
                    >${icons.open}</a
                  >
                  <button class="tool" aria-label=${words.close} title=${words.close} @click=${close}>${icons.close}</button>
                </div>
                <img
                  src=${photo.url}
                  alt=${photo.alt}
                  width=${photo.width ?? nothing}
                  height=${photo.height ?? nothing}
                />
                ${photo.alt ? html`<p class="lightbox-alt">${photo.alt}</p>` : nothing}`
            : nothing
        }
      </dialog>`;
    },
  };
}
