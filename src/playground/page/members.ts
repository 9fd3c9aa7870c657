import type { APIUser } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { channelById, guildOf, type Shown, show } from './names.ts';
import type { View } from './view.ts';

interface Listed extends Shown {
  id: string;
  online: boolean;
}

function listed(view: View, user: APIUser): Listed {
  const bot = view.bots.find(({ id }) => id === user.id);
  return { ...show(view, user), id: user.id, online: bot ? bot.online : true };
}

function group(heading: string, members: Listed[]): TemplateResult | typeof nothing {
  if (members.length === 0) return nothing;
  return html`<h2 class="list-head">${heading} — ${members.length}</h2>
    <ul>
      ${members.map(
        ({ name, avatarUrl, color, bot, online }) =>
          html`<li class="member ${online ? '' : 'away'}">
            <span class="avatar-frame">
              <img class="avatar" src=${avatarUrl} alt="" />
              <i class="presence ${online ? 'online' : 'offline'}"></i>
            </span>
            <span class="member-name" style=${color ? `color: ${color}` : nothing}>${name}</span>
            ${bot ? html`<small class="app-tag">App</small>` : nothing}
            <span class="hidden">${online ? 'online' : 'offline'}</span>
          </li>`,
      )}
    </ul>`;
}

/** Who is in the open server or conversation, roles first, then bots, the absent last. */
export function members(view: View): TemplateResult {
  const channel = view.channel && channelById(view, view.channel.id);
  const users =
    guildOf(view)?.members.map(({ user }) => user) ??
    (channel && 'recipients' in channel ? (channel.recipients ?? []) : []);
  const all = users.map((user) => listed(view, user));
  const here = all.filter(({ online }) => online);
  const roles = [...new Set(here.filter(({ bot }) => !bot).map(({ roleName }) => roleName))].sort(
    (a, b) => Number(a === null) - Number(b === null),
  );
  return html`<section class="members" aria-label="Members">
    ${roles.map((role) =>
      group(
        role ?? 'Online',
        here.filter(({ roleName, bot }) => !bot && roleName === role),
      ),
    )}
    ${group(
      'Bots',
      here.filter(({ bot }) => bot),
    )}
    ${group(
      'Offline',
      all.filter(({ online }) => !online),
    )}
  </section>`;
}
