import type { OpenPage } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import { openPlayground } from './playground.ts';

/** The chat page of a playground of the test's own. */
export async function openPlaygroundPage(
  open: OpenPage,
  {
    width = 1280,
    paceMs = 0,
    hasTouch = false,
  }: { paceMs?: number; width?: number; hasTouch?: boolean } = {},
) {
  const playground = await openPlayground({ paceMs });
  onTestFinished(playground.close);
  return { playground, ...(await open(playground.url, { viewport: { width, height: 800 }, hasTouch })) };
}
