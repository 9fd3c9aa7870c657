import { Locale } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { RequestError } from './connection.ts';
import { preferences } from './preferences.ts';
import type { Store } from './store.ts';
import { readTheme, showTheme, THEMES } from './theme.ts';

/** A language in its own words: `Deutsch`, `English (US)`. */
const nameOf = (locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'language', style: 'short' }).of(locale) ?? locale;

/** Discord's languages, by their names. */
const LANGUAGES = Object.values(Locale)
  .map((locale) => ({ locale, name: nameOf(locale) }))
  .sort((a, b) => a.name.localeCompare(b.name));

const pickedIn = ({ currentTarget }: Event): string =>
  currentTarget instanceof HTMLSelectElement ? currentTarget.value : '';

/** The user's language, and how the page looks in this browser. */
export function createUserSettings({ store, redraw }: { store: Store; redraw(): void }) {
  let theme = preferences.theme();
  showTheme(theme);

  function changeTheme(event: Event): void {
    theme = readTheme(pickedIn(event));
    preferences.saveTheme(theme);
    showTheme(theme);
    redraw();
  }

  async function changeLocale(event: Event): Promise<void> {
    try {
      await store.runAction<'change-locale'>({ do: 'change-locale', locale: pickedIn(event) });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      redraw();
    }
  }

  return {
    render(): TemplateResult {
      const { locale, words } = store.view;
      return html`<div class="user-settings">
        <label>
          <span>${words.user.language}</span>
          <select class="select" name="language" .value=${live(locale)} @change=${changeLocale}>
            ${LANGUAGES.map(
              (one) =>
                html`<option value=${one.locale} lang=${one.locale} ?selected=${one.locale === locale}>${one.name}</option>`,
            )}
          </select>
        </label>
        <label>
          <span>${words.user.theme}</span>
          <select class="select" name="theme" @change=${changeTheme}>
            ${THEMES.map((one) => html`<option value=${one} ?selected=${one === theme}>${words.user.themes[one]}</option>`)}
          </select>
        </label>
      </div>`;
    },
  };
}
