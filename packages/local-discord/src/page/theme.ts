/** Light, dark, or as the system has it. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const readTheme = (text: string | null): Theme => THEMES.find((theme) => theme === text) ?? 'system';

/** `base.css` has both; what follows the system has no mark. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
