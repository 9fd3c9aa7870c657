import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from './chromium-path.ts';
import { WAIT_TIMEOUT_MS } from './wait.ts';

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
