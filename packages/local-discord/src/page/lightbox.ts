import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { Photo } from './attachments.ts';
import { icons } from './icons.ts';

/** Pictures at full size above the page: arrow keys step through them, Escape closes, and each can be saved. */
export function createLightbox(redraw: () => void) {
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
      const photo = photos[at];
      return html`<dialog
        class="lightbox"
        aria-label="Picture"
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
                  <span class="lightbox-name">${photo.name}</span>
                  ${
                    photos.length > 1
                      ? html`<span>${at + 1} / ${photos.length}</span>
                          <button class="tool" aria-label="Previous picture" @click=${() => step(-1)}>${icons.left}</button>
                          <button class="tool" aria-label="Next picture" @click=${() => step(1)}>${icons.right}</button>`
                      : nothing
                  }
                  <a class="tool" href=${photo.url} download=${photo.name} aria-label="Save picture" title="Save"
                    >${icons.download}</a
                  >
                  <a class="tool" href=${photo.url} target="_blank" rel="noopener" aria-label="Open in a new tab" title="Open in a new tab"
                    >${icons.open}</a
                  >
                  <button class="tool" aria-label="Close" title="Close" @click=${close}>${icons.close}</button>
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
