import { existsSync } from 'node:fs';

const DEFAULT_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `undefined` where there is no Chromium: suites that need one are skipped then. */
export const chromiumPath = [process.env.CHROMIUM_PATH, ...DEFAULT_PATHS].find(
  (path) => path !== undefined && existsSync(path),
);
