import type { APIEmbed, APIEmbedImage, APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type Photo, thumbnail } from './attachments.ts';
import { markdown } from './markdown.ts';
import { cssColor, localUrl } from './names.ts';
import { messageTime } from './timestamps.ts';
import type { View } from './view.ts';

const LARGEST = { width: 400, height: 300 };

function photo({ url, width, height }: APIEmbedImage): Photo {
  const name = new URL(url, location.href).pathname.split('/').at(-1) || 'picture';
  return { url: localUrl(url), alt: '', name, width: width ?? null, height: height ?? null };
}

/** Fields that stand beside one another are numbered 1 to 3 in their row. */
function columns(fields: NonNullable<APIEmbed['fields']>): number[] {
  let column = 0;
  return fields.map(({ inline }) => {
    column = inline ? (column % 3) + 1 : 0;
    return column;
  });
}

function fields(view: View, embed: APIEmbed): TemplateResult | typeof nothing {
  const list = embed.fields ?? [];
  if (list.length === 0) return nothing;
  const places = columns(list);
  return html`<discord-embed-fields slot="fields">
    ${list.map(
      ({ name, value, inline }, index) =>
        html`<discord-embed-field
          field-title=${name}
          ?inline=${inline ?? false}
          inline-index=${places[index] || nothing}
          >${markdown(view, value)}</discord-embed-field
        >`,
    )}
  </discord-embed-fields>`;
}

function embed(view: View, it: APIEmbed, openPhotos: (photos: Photo[], at: number) => void) {
  const picture = it.image && photo(it.image);
  const time = it.timestamp ? messageTime(new Date(it.timestamp)) : undefined;
  const footer = [it.footer?.text, time].filter(Boolean).join(' • ');
  return html`<discord-embed
    slot="embeds"
    color=${it.color === undefined ? nothing : cssColor(it.color)}
    embed-title=${it.title ?? nothing}
    url=${it.url ?? nothing}
    author-name=${it.author?.name ?? nothing}
    author-url=${it.author?.url ?? nothing}
    author-image=${it.author?.icon_url ? localUrl(it.author.icon_url) : nothing}
    thumbnail=${it.thumbnail ? localUrl(it.thumbnail.url) : nothing}
  >
    ${
      it.description
        ? html`<discord-embed-description slot="description"
            >${markdown(view, it.description)}</discord-embed-description
          >`
        : nothing
    }
    ${fields(view, it)}
    ${
      picture
        ? html`<div slot="fields" class="embed-photo">${thumbnail(picture, () => openPhotos([picture], 0), LARGEST)}</div>`
        : nothing
    }
    ${footer ? html`<discord-embed-footer slot="footer">${footer}</discord-embed-footer>` : nothing}
  </discord-embed>`;
}

/** The embeds of a message. */
export function embeds(view: View, message: APIMessage, openPhotos: (photos: Photo[], at: number) => void) {
  return message.embeds.map((it) => embed(view, it, openPhotos));
}
