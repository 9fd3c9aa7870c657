import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';
import { chromiumPath } from './chromium-path.ts';
import { WAIT_TIMEOUT_MS } from './wait.ts';

const ARTEFACTS = join(import.meta.dirname, '..', '..', '..', 'test', 'artefacts');

/** The chat page as a visitor uses it. */
export type Visit = Awaited<ReturnType<typeof visit>>;

/** Opens the page in a new browser context, and waits until it is ready. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const externalRequests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') externalRequests.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser reports lost connections, which some tests cause, and a picture that was exchanged before it was
    // loaded.
    const isExpected =
      message.text().includes('net::ERR_') || message.location().url.includes('/attachments/');
    if (!isExpected) errors.push(message.text());
  });
  await page.goto(url);
  const composer = page.locator('#composer-text');
  await composer.waitFor();

  return {
    page,
    composer,
    messages: page.locator('discord-message'),
    /** URLs of requests that left this machine. */
    externalRequests,
    /** Exceptions and console errors of the page. */
    errors,
    /** Saves a screenshot in test/artefacts/. */
    async screenshot(name: string): Promise<void> {
      await mkdir(ARTEFACTS, { recursive: true });
      await page.screenshot({ path: join(ARTEFACTS, `${name}.png`) });
    },
    /** Types a slash command into the composer and picks it from the list. */
    async startCommand(command: string): Promise<void> {
      await composer.focus();
      await page.keyboard.type(`/${command}`);
      await page
        .getByRole('option', { name: `/${command}` })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    },
    async switchUser(name: string): Promise<void> {
      await page.getByRole('radio', { name }).check();
      await page.getByRole('radio', { name, checked: true }).waitFor();
    },
    close: () => context.close(),
  };
}

/** Opens the page; when the test ends, nothing may have failed on it, and no request have left this machine. */
export type OpenPage = (url: string, options?: BrowserContextOptions) => Promise<Visit>;

/** One for all files that a worker runs, as its start takes longer than most tests; it ends with the worker. */
let shared: Promise<Browser> | undefined;

/** A suite that drives the chat page in Chromium; skipped where there is none. */
export function describeInChromium(name: string, define: (open: OpenPage) => void): void {
  const reason = chromiumPath ? '' : ' (skipped: no Chromium; set CHROMIUM_PATH)';
  describe.skipIf(!chromiumPath)(`${name}${reason}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      shared ??= launchChromium();
      browser = await shared;
    });
    define(async (url, options) => {
      const opened = await visit(browser, url, options);
      onTestFinished(async () => {
        await opened.close();
        expect(opened.externalRequests).toEqual([]);
        expect(opened.errors).toEqual([]);
      });
      return opened;
    });
  });
}
