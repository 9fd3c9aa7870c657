import { type APIMessage, ComponentType } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import {
  MEMBER,
  MODERATOR,
  STAFF_CHANNEL,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';

/** What the entries of a page say, without when. */
const entriesOf = ({ content }: APIMessage): string[] =>
  content
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^<t:\d+> · /, ''));

const isDisabled = (message: APIMessage, label: string): boolean =>
  (message.components ?? []).some(
    (row) =>
      row.type === ComponentType.ActionRow &&
      row.components.some((one) => 'label' in one && one.label === label && one.disabled === true),
  );

test('what was done is read also where the log channel takes nothing, by whoever manages the server', async () => {
  const world = await botWorld({ storeUrl: await storeWithSettings({ logChannelId: STAFF_CHANNEL }) });
  const moderator = world.as(MODERATOR);
  expect((await run(moderator, 'settings log')).content).toBe(en.settings.log.none);
  await run(moderator, 'moderate block', { member: MEMBER });
  await run(moderator, 'moderate unblock', { member: MEMBER });
  await world.logs('the log channel of a server took nothing');
  const shown = await run(moderator, 'settings log');
  expect(isEphemeral(shown)).toBe(true);
  expect(shown.content).toContain(en.settings.log.heading);
  expect(entriesOf(shown)).toEqual([
    en.audit['member-unblocked'](`<@${MODERATOR}>`, `<@${MEMBER}>`),
    en.audit['member-blocked'](`<@${MODERATOR}>`, `<@${MEMBER}>`, undefined),
  ]);
  await world.openCommands();
  expect((await run(world.member, 'settings log')).content).toBe(en.refusal.needsManageServer);
});

test('its pages go back to the first entry, and on to the newest again', async () => {
  const world = await botWorld({ discord: { world: worldWhere(MODERATOR, 'de') } });
  const moderator = world.as(MODERATOR);
  for (let hours = 1; hours <= 13; hours += 1)
    await run(moderator, 'moderate block', { member: MEMBER, hours });
  const first = await run(moderator, 'settings log');
  expect(first.content).toContain(de.settings.log.heading);
  const now = () => moderator.message(first.id) ?? first;
  const entries = entriesOf(first);
  expect(entries).toHaveLength(10);
  expect(entries[0]).toMatch(/^<@\d+> hat <@\d+> bis <t:\d+> gesperrt$/);
  expect(isDisabled(first, de.jobs.previous)).toBe(true);
  await moderator.press(first.id, buttonOf(first, de.jobs.next));
  await expect.poll(() => entriesOf(now())).toHaveLength(3);
  expect(new Set([...entries, ...entriesOf(now())]).size).toBe(13);
  expect(isDisabled(now(), de.jobs.next)).toBe(true);
  await moderator.press(first.id, buttonOf(now(), de.jobs.previous));
  await expect.poll(() => entriesOf(now())).toEqual(entries);
  expect(isDisabled(now(), de.jobs.previous)).toBe(true);
});
