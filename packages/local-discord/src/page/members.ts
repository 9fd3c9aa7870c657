import type { APIUser } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { type DisplayedUser, displayUser } from './display.ts';
import { guildOf, usersInView } from './selectors.ts';
import type { View } from './view.ts';

interface ListedMember extends DisplayedUser {
  online: boolean;
}

function withPresence(view: View, user: APIUser): ListedMember {
  const bot = view.bots.find(({ id }) => id === user.id);
  return { ...displayUser(view, user), online: bot?.online ?? true };
}

function renderGroup(
  { words }: View,
  heading: string,
  members: ListedMember[],
): TemplateResult | typeof nothing {
  if (members.length === 0) return nothing;
  return html`<h2 class="list-head">${heading} — ${members.length}</h2>
    <ul>
      ${members.map(
        ({ name, avatarUrl, color, bot, online }) =>
          html`<li class="member ${online ? '' : 'offline'}">
            <span class="avatar-frame">
              <img class="avatar" src=${avatarUrl} alt="" />
              <i class="presence ${online ? 'online' : 'offline'}"></i>
            </span>
            <span class="member-name one-line" style=${color ? `color: ${color}` : nothing}>${name}</span>
            ${bot ? html`<small class="app-tag">App</small>` : nothing}
            <span class="visually-hidden">${online ? words.members.online : words.members.offline}</span>
          </li>`,
      )}
    </ul>`;
}

/** The members of the open server or direct message: by role, then bots, then those who are offline. */
export function members(view: View): TemplateResult {
  const { words } = view;
  const all = usersInView(view).map((user) => withPresence(view, user));
  const online = all.filter((member) => member.online);
  const roles = new Set(
    guildOf(view)
      ?.roles.map(({ name }) => name)
      .reverse(),
  );
  return html`<section class="members" aria-label=${words.members.all}>
    ${[...roles, null].map((role) =>
      renderGroup(
        view,
        role ?? words.members.online,
        online.filter(({ roleName, bot }) => !bot && roleName === role),
      ),
    )}
    ${renderGroup(
      view,
      words.members.bots,
      online.filter(({ bot }) => bot),
    )}
    ${renderGroup(
      view,
      words.members.offline,
      all.filter((member) => !member.online),
    )}
  </section>`;
}
