export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const STORED_AS = 'hlid.theme';

/** Applies the stored theme; `system` follows the operating system. */
export function applyTheme(): void {
  const theme = THEMES.find((one) => one === localStorage.getItem(STORED_AS)) ?? 'system';
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function changeTheme(theme: Theme): void {
  localStorage.setItem(STORED_AS, theme);
  applyTheme();
}
