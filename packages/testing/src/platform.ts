import { onTestFinished } from 'vitest';

/** Until the test ends, `process.platform` is `win32`. Nothing else is as on Windows: paths stay those of this machine. */
export function pretendWindows(): void {
  const { platform } = process;
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
  set('win32');
  onTestFinished(() => void set(platform));
}
