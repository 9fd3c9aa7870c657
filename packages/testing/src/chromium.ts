import type { Browser } from 'playwright-core';
import { chromiumPath } from './chromium-path.ts';
import { WAIT_TIMEOUT_MS } from './wait.ts';

/**
 * The pages in which Chromium shows suggestions below its address bar. It opens both with every window, which is more
 * work than the page of a test.
 */
const SUGGESTIONS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright turns off itself, as of two lists Chromium reads the last one. */
const OFF_IN_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** A headless Chromium that makes no requests by itself. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium found; set CHROMIUM_PATH');
  // To load it takes half a second of CPU, and most of those who load this package start no browser.
  const { chromium } = await import('playwright-core');
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
      `--disable-features=${[...SUGGESTIONS, ...OFF_IN_PLAYWRIGHT].join()}`,
    ],
  });
}
