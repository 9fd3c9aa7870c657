import { onTestFinished } from 'vitest';

/**
 * Until the test ends, `process.platform` is `win32`. Nothing else is as on Windows: paths stay those of this
 * machine.
 */
export function pretendWindows(): void {
  const { platform } = process;
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
  set('win32');
  onTestFinished(() => void set(platform));
}

/**
 * In NODE_OPTIONS, the same for a process. It has no LANG either: the language that it was started with is then that of
 * the user of Windows.
 */
export const AS_ON_WINDOWS = `--import data:text/javascript,${encodeURIComponent(`
  Intl.DateTimeFormat();
  for (const name of ['LC_ALL', 'LC_MESSAGES', 'LANG']) delete process.env[name];
  Object.defineProperty(process, 'platform', { value: 'win32' });
`)}`;
