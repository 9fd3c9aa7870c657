import { html, type TemplateResult } from 'lit';
import type { Store } from './store.ts';
import { avatarUrl } from './urls.ts';

/** The radio buttons for whom the visitor is. */
export function userSwitcher(
  store: Store,
  switchUser: (userId: string) => void,
  settings: TemplateResult,
): TemplateResult {
  const { snapshot, online, words } = store.view;
  return html`<section class="user-switcher" aria-labelledby="user-switcher-head">
    <h2 id="user-switcher-head" class="list-head">${words.user.youAre}</h2>
    <div role="radiogroup" aria-labelledby="user-switcher-head">
      ${snapshot?.users.map(({ id, name, about }) => {
        const selected = id === snapshot.userId;
        return html`<label class="user ${selected ? 'selected' : ''}">
          <input type="radio" name="user" value=${id} .checked=${selected} @change=${() => switchUser(id)} />
          <span class="avatar-frame">
            <img class="avatar" src=${avatarUrl({ id })} alt="" />
            ${selected ? html`<i class="presence ${online ? 'online' : 'offline'}"></i>` : ''}
          </span>
          <span class="user-text"><strong>${name}</strong><small>${about}</small></span>
        </label>`;
      })}
    </div>
    ${settings}
  </section>`;
}
