import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Visit, visit, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import sharp from 'sharp';
import { FIRST_CHANNEL, MEMBER } from '../../../src/playground/demo-world.ts';
import { openPlayground, type PlaygroundOptions } from '../../support/playground.ts';

const PADDING_PX = 7;

/** Written into docs/. */
export async function save(name: string, png: Buffer): Promise<void> {
  const file = join('docs', `${name}.png`);
  await sharp(png).png({ palette: true, quality: 95, effort: 10 }).toFile(file);
  process.stdout.write(`Wrote ${file} (${Math.ceil((await stat(file)).size / 1_024)} KiB)\n`);
}

/** An element, or all from it to another one below, with some of the page around it. */
export async function screenshotOf(element: Locator, last = element): Promise<Buffer> {
  await last.scrollIntoViewIfNeeded();
  const [box, end] = [await element.boundingBox(), await last.boundingBox()];
  if (!box || !end) throw new Error('the element is not visible');
  const height = end.y + end.height - box.y;
  const clip = { ...box, y: box.y - PADDING_PX, height: height + 2 * PADDING_PX };
  return element.page().screenshot({ clip });
}

const PICTURES_LOADED = `(function areLoaded(root) {
  return [...root.querySelectorAll('*')].every(
    (one) =>
      (one.tagName !== 'IMG' || (one.complete && one.naturalWidth > 0)) &&
      (!one.shadowRoot || areLoaded(one.shadowRoot)),
  );
})(document.querySelector('.messages'))`;

/** Every picture that the page shows is loaded; those of embeds stand in shadow trees. */
export async function picturesLoaded({ page }: Pick<Visit, 'page'>): Promise<void> {
  await page.waitForFunction(PICTURES_LOADED);
}

/** What a screenshot is taken of. */
export interface Scene extends Visit {
  playground: Awaited<ReturnType<typeof openPlayground>>;
}

/** A member asks for these, one after the other, before the page is opened. */
export const drawn =
  (...all: readonly { prompt: string; seed: number; size?: string; workflow?: string }[]) =>
  async (playground: Scene['playground']): Promise<void> => {
    const member = playground.discord().as(MEMBER.id);
    for (const options of all) {
      await member.invoke(FIRST_CHANNEL, 'imagine', options);
      await member.waitForMessage(
        ({ attachments: [file] }) => file?.filename.includes(`-${options.seed}.`) === true,
        { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) },
      );
    }
  };

/** Opens a playground of its own and its page, dark, and closes both after `take`. */
export async function scene(
  browser: Browser,
  {
    prepare,
    page,
    ...options
  }: PlaygroundOptions & {
    page?: BrowserContextOptions;
    prepare?: (playground: Scene['playground']) => Promise<void>;
  },
  take: (scene: Scene) => Promise<void>,
): Promise<void> {
  const playground = await openPlayground(options);
  try {
    await prepare?.(playground);
    const visited = await visit(browser, playground.url, {
      viewport: { width: 900, height: 1_000 },
      deviceScaleFactor: 1.5,
      colorScheme: 'dark',
      ...page,
    });
    await take({ ...visited, playground });
    await visited.close();
  } finally {
    await playground.close();
  }
}
