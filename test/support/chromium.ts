import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `undefined` where there is no Chromium: suites that need one are skipped then. */
export const chromiumPath = [process.env.CHROMIUM_PATH, ...USUAL_PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

/** What a skipped suite says. */
export const NEEDS_CHROMIUM = chromiumPath ? '' : ' (skipped: no Chromium; set CHROMIUM_PATH)';

/** A Chromium without a window that asks nobody on the internet for anything by itself. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium found; set CHROMIUM_PATH');
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: PATIENCE_MS,
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
