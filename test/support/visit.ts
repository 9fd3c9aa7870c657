import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const ARTEFACTS = join(import.meta.dirname, '..', 'artefacts');

/** The chat page as a visitor uses it. */
export interface Visit {
  page: Page;
  composer: Locator;
  messages: Locator;
  /** Addresses that were asked for beyond this machine. */
  strangers: string[];
  /** What broke on the page. */
  errors: string[];
  /** Keeps a picture of the page under test/artefacts/. */
  keep(name: string): Promise<void>;
  /** Types a slash command into the composer and takes it from the list. */
  begin(command: string): Promise<void>;
  become(person: 'Member' | 'Moderator' | 'Newcomer'): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page in a browser profile of its own, and waits until it is ready. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const strangers: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') strangers.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports lost connections, which some tests are about.
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) errors.push(message.text());
  });
  await page.goto(url);
  const composer = page.locator('#composer-text');
  await composer.waitFor();

  return {
    page,
    composer,
    messages: page.locator('discord-message'),
    strangers,
    errors,
    async keep(name) {
      await mkdir(ARTEFACTS, { recursive: true });
      await page.screenshot({ path: join(ARTEFACTS, `${name}.png`) });
    },
    async begin(command) {
      await composer.focus();
      await page.keyboard.type(`/${command}`);
      await page
        .getByRole('option', { name: `/${command}` })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    },
    async become(person) {
      await page.getByRole('radio', { name: person }).check();
      await page.getByRole('radio', { name: person, checked: true }).waitFor();
    },
    close: () => context.close(),
  };
}
