import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { WAIT_TIMEOUT_MS } from './wait.ts';

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

/** A headless Chromium that makes no requests by itself. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium found; set CHROMIUM_PATH');
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: WAIT_TIMEOUT_MS,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
