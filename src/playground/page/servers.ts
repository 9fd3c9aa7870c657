import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';
import { localUrl } from './names.ts';
import type { Session } from './session.ts';

/** The column of servers, with the conversations on top. */
export function servers({ view, openGuild }: Session): TemplateResult {
  const unreadIn = (channels: readonly { id: string }[]) => channels.some(({ id }) => view.unread.has(id));
  const entry = (
    guildId: string | null,
    name: string,
    picture: TemplateResult,
    channels: readonly { id: string }[],
  ): TemplateResult => {
    const here = view.channel !== null && view.guildId === guildId;
    const unread = !here && unreadIn(channels);
    return html`<li>
      <button
        class="server ${here ? 'here' : ''} ${unread ? 'unread' : ''}"
        type="button"
        title=${name}
        aria-label=${unread ? `${name}, unread messages` : name}
        aria-current=${here ? 'true' : nothing}
        @click=${() => openGuild(guildId)}
      >
        ${picture}
      </button>
    </li>`;
  };
  return html`<nav class="servers" aria-label="Servers">
    <ul>
      ${entry(null, 'Direct messages', icons.chat, view.directMessages)}
      <li class="servers-line" role="presentation"></li>
      ${view.guilds.map(({ id, name, iconUrl, channels }) =>
        entry(id, name, html`<img src=${localUrl(iconUrl)} alt="" width="48" height="48" />`, channels),
      )}
    </ul>
  </nav>`;
}
