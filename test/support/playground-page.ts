import type { OpenPage } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import { DEMO_USERS } from '../../src/playground/demo-world.ts';
import { openPlayground, type PlaygroundOptions } from './playground.ts';

/** The chat page of a playground of the test's own. */
export async function openPlaygroundPage(
  open: OpenPage,
  {
    width = 1280,
    height = 800,
    hasTouch = false,
    locale = 'en-US',
    ...options
  }: PlaygroundOptions & { width?: number; height?: number; hasTouch?: boolean; locale?: string } = {},
) {
  const playground = await openPlayground(options);
  onTestFinished(playground.close);
  for (const { id } of DEMO_USERS) playground.discord().as(id).changeLocale(locale);
  return { playground, ...(await open(playground.url, { viewport: { width, height }, hasTouch })) };
}
