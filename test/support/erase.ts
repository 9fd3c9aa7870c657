import type { UserClient } from 'local-discord';
import { expect } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { buttonOf } from './buttons.ts';
import { plain } from './commands.ts';
import { run, settled } from './ephemeral-reply.ts';

/** Has everything of a person erased, but for so many requests that still run. */
export async function eraseAll(user: UserClient, { running = 0 } = {}): Promise<void> {
  const told = await run(user, 'privacy');
  const asked = await settled(await user.press(told.id, buttonOf(told, en.privacy.erase)), user);
  await user.press(asked.id, buttonOf(asked, en.privacy.eraseAll));
  await expect.poll(() => plain(user.message(asked.id)?.content ?? '')).toBe(en.privacy.erased(running));
}
