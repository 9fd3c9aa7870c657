import { Locale } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { RequestError } from './connection.ts';
import { preferences } from './preferences.ts';
import type { Store } from './store.ts';
import type { View } from './view.ts';

/** Light, dark, or as the system has it. */
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const readTheme = (text: string | null): Theme => THEMES.find((theme) => theme === text) ?? 'system';

/** `base.css` has both; what follows the system has no mark. */
function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** A language in its own words: `Deutsch`, `English (US)`. */
const nameOf = (locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'language', style: 'short' }).of(locale) ?? locale;

const LANGUAGES = Object.values(Locale)
  .map((locale) => ({ locale, name: nameOf(locale) }))
  .sort((a, b) => a.name.localeCompare(b.name));

const pickedIn = ({ currentTarget }: Event): string =>
  currentTarget instanceof HTMLSelectElement ? currentTarget.value : '';

/**
 * Those that the bots of a channel speak by the texts of their commands; all of them where those have one text only.
 */
function languagesOf({ channel, locale: own }: View): typeof LANGUAGES {
  const spoken = (channel?.commands ?? []).flatMap((command) => [
    ...Object.keys(command.name_localizations ?? {}),
    ...Object.keys(command.description_localizations ?? {}),
  ]);
  if (spoken.length === 0) return LANGUAGES;
  return LANGUAGES.filter(({ locale }) => [Locale.EnglishUS, own, ...spoken].includes(locale));
}

/** The user's language, and how the page looks in this browser. */
export function createUserSettings({ store, redraw }: { store: Store; redraw(): void }) {
  let theme = readTheme(preferences.theme());
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
            ${languagesOf(store.view).map(
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
