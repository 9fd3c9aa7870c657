import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openPlayground } from './playground.ts';
import { visit } from './visit.ts';

/** A playground of the test's own with a visitor on its chat page. In the end nothing may have broken, and nobody else been asked. */
export async function openPage(browser: Browser, options: { paceMs?: number; width?: number } = {}) {
  const playground = await openPlayground(options);
  const { width = 1280 } = options;
  const visitor = await visit(browser, playground.url, { viewport: { width, height: 800 } });
  onTestFinished(async () => {
    await visitor.close();
    await playground.close();
    expect(visitor.strangers).toEqual([]);
    expect(visitor.errors).toEqual([]);
  });
  return { playground, ...visitor };
}
