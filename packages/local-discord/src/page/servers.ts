import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';
import type { Store } from './store.ts';
import { localUrl } from './urls.ts';

/** The column of servers, below the direct messages. */
export function servers({ view, openGuild }: Store): TemplateResult {
  const words = view.words.servers;
  const renderServer = (
    guildId: string | null,
    name: string,
    picture: TemplateResult,
    channels: readonly { id: string }[],
  ): TemplateResult => {
    const selected = view.channel !== null && view.guildId === guildId;
    const counts = selected ? [] : channels.flatMap(({ id }) => view.unread.get(id) ?? []);
    const unread = counts.length > 0;
    const calls = counts.reduce((sum, count) => sum + count, 0);
    const what = calls > 0 ? words.calls(calls) : words.unread;
    return html`<li>
      <button
        class="server ${selected ? 'selected' : ''} ${unread ? 'unread' : ''}"
        type="button"
        title=${name}
        aria-label=${unread ? `${name}, ${what}` : name}
        aria-current=${selected ? 'true' : nothing}
        @click=${() => openGuild(guildId)}
      >
        ${picture} ${calls > 0 ? html`<small class="calls" aria-hidden="true">${calls}</small>` : nothing}
      </button>
    </li>`;
  };
  return html`<nav class="servers" aria-label=${words.all}>
    <ul>
      ${renderServer(null, words.direct, icons.chat, view.directMessages)}
      ${view.guilds.map(({ id, name, iconUrl, channels }) =>
        renderServer(
          id,
          name,
          html`<img src=${localUrl(iconUrl)} alt="" width="48" height="48" />`,
          channels,
        ),
      )}
    </ul>
  </nav>`;
}
