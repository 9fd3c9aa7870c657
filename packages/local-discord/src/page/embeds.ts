import type { APIEmbed, APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type OpenPhotos, photoOf, thumbnail } from './attachments.ts';
import { cssColor } from './display.ts';
import { markdown } from './markdown.ts';
import { plainText } from './plain-text.ts';
import { messageTime } from './timestamps.ts';
import { localUrl } from './urls.ts';
import type { View } from './view.ts';

const MAX_SIZE = { width: 400, height: 300 };

/** The column of each field, 1 to 3; 0 for one that is not inline. */
function columns(fields: NonNullable<APIEmbed['fields']>): number[] {
  let column = 0;
  return fields.map(({ inline }) => {
    column = inline ? (column % 3) + 1 : 0;
    return column;
  });
}

function renderFields(view: View, embed: APIEmbed): TemplateResult | typeof nothing {
  const list = embed.fields ?? [];
  if (list.length === 0) return nothing;
  const indexes = columns(list);
  return html`<discord-embed-fields slot="fields">
    ${list.map(
      ({ name, value, inline }, index) =>
        html`<discord-embed-field
          field-title=${name}
          ?inline=${inline ?? false}
          inline-index=${indexes[index] || nothing}
          >${markdown(view, value)}</discord-embed-field
        >`,
    )}
  </discord-embed-fields>`;
}

/** `listed`: among several, of one width. */
function renderEmbed(view: View, embed: APIEmbed, openPhotos: OpenPhotos, listed: boolean) {
  const picture =
    embed.image && photoOf(embed.image, plainText(view, embed.title ?? embed.description ?? ''));
  const time = embed.timestamp ? messageTime(view.locale, new Date(embed.timestamp)) : undefined;
  const footer = [embed.footer?.text, time].filter(Boolean).join(' • ');
  return html`<discord-embed
    slot="embeds"
    class=${listed ? 'listed' : nothing}
    color=${embed.color === undefined ? nothing : cssColor(embed.color)}
    embed-title=${embed.title ?? nothing}
    url=${embed.url ?? nothing}
    author-name=${embed.author?.name ?? nothing}
    author-url=${embed.author?.url ?? nothing}
    author-image=${embed.author?.icon_url ? localUrl(embed.author.icon_url) : nothing}
    thumbnail=${embed.thumbnail ? localUrl(embed.thumbnail.url) : nothing}
  >
    ${
      embed.description
        ? html`<discord-embed-description slot="description"
            >${markdown(view, embed.description)}</discord-embed-description
          >`
        : nothing
    }
    ${renderFields(view, embed)}
    ${
      picture
        ? html`<div slot="fields" class="embed-photo">${thumbnail(view, picture, () => openPhotos([picture], 0), MAX_SIZE)}</div>`
        : nothing
    }
    ${
      footer
        ? html`<discord-embed-footer
            slot="footer"
            footer-image=${embed.footer?.icon_url ? localUrl(embed.footer.icon_url) : nothing}
            >${footer}</discord-embed-footer
          >`
        : nothing
    }
  </discord-embed>`;
}

export function renderEmbeds(view: View, message: APIMessage, openPhotos: OpenPhotos) {
  return message.embeds.map((embed) => renderEmbed(view, embed, openPhotos, message.embeds.length > 1));
}
