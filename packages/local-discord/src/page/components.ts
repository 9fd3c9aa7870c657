import {
  type APIMessage,
  type APIMessageComponent,
  type APIThumbnailComponent,
  ComponentType,
  SeparatorSpacingSize,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type OpenPhotos, photoOf, renderFile, renderPhotos } from './attachments.ts';
import { renderControl } from './controls.ts';
import { cssColor } from './display.ts';
import { icons } from './icons.ts';
import { markdown } from './markdown.ts';
import type { Store } from './store.ts';

/** The rows of buttons and menus below a message, or what a message with Components V2 consists of. */
export function renderComponents(store: Store, message: APIMessage, openPhotos: OpenPhotos): TemplateResult {
  const { view } = store;
  const failure = view.failures.get(message.id);

  function render(component: APIMessageComponent): TemplateResult {
    switch (component.type) {
      case ComponentType.ActionRow:
        return html`<discord-action-row class="row">${component.components.map(render)}</discord-action-row>`;
      case ComponentType.TextDisplay:
        return html`<div class="text-display">${markdown(view, component.content)}</div>`;
      case ComponentType.Section:
        return html`<div class="section">
          <div>${component.components.map(render)}</div>
          ${render(component.accessory)}
        </div>`;
      case ComponentType.Thumbnail:
        return photos([component]);
      case ComponentType.MediaGallery:
        return photos(component.items);
      case ComponentType.File: {
        const { file, name = '', size = 0 } = component;
        return renderFile(view, { url: file.url, name, size });
      }
      case ComponentType.Separator: {
        const { divider = true, spacing } = component;
        const classes = `separator ${spacing === SeparatorSpacingSize.Large ? 'large' : ''}`;
        return divider ? html`<hr class=${classes} />` : html`<div class=${classes}></div>`;
      }
      case ComponentType.Container: {
        const { accent_color: accent, spoiler, components } = component;
        const edge = accent == null ? nothing : `border-left-color: ${cssColor(accent)}`;
        const inner = components.map(render);
        return spoiler
          ? html`<details class="container" style=${edge}>
              <summary>${view.words.messages.spoiler}</summary>
              ${inner}
            </details>`
          : html`<div class="container" style=${edge}>${inner}</div>`;
      }
      default:
        return renderControl(store, message, component);
    }
  }

  const photos = (items: readonly Pick<APIThumbnailComponent, 'media' | 'description' | 'spoiler'>[]) =>
    renderPhotos(
      view,
      items.map(({ media, description, spoiler }) => photoOf(media, description ?? '', spoiler)),
      openPhotos,
    );

  return html`${message.components?.map(render)}
  ${failure ? html`<p class="failed" role="alert">${icons.warning}${failure}</p>` : nothing}`;
}
