import { html, type TemplateResult } from 'lit';
import { avatarUrl } from './names.ts';
import type { Session } from './session.ts';

/** The switch between the people whom the visitor can be. */
export function people(session: Session, become: (personId: string) => void): TemplateResult {
  const { hello, online } = session.view;
  return html`<section class="people" aria-labelledby="people-head">
    <h2 id="people-head" class="list-head">You are</h2>
    <div role="radiogroup" aria-labelledby="people-head">
      ${hello?.people.map(({ id, name, about }) => {
        const here = id === hello.personId;
        return html`<label class="person ${here ? 'here' : ''}">
          <input type="radio" name="person" value=${id} .checked=${here} @change=${() => become(id)} />
          <span class="avatar-frame">
            <img class="avatar" src=${avatarUrl({ id })} alt="" />
            ${here ? html`<i class="presence ${online ? 'online' : 'offline'}"></i>` : ''}
          </span>
          <span class="person-text"><strong>${name}</strong><small>${about}</small></span>
        </label>`;
      })}
    </div>
  </section>`;
}
