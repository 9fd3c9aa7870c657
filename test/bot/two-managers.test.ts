import { expect, test } from 'vitest';
import {
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MODERATOR,
  OUTSIDER,
  refusalOfPick,
  SECOND_CHANNEL,
  STAFF_ROLE,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { menuIn, openPanel } from '../support/settings-panel.ts';

const { settings: texts } = en;

/** A server with these settings, whose two managers have their panels open in the same section. */
async function managersWorld(section: string, settings: Partial<GuildSettings> = {}) {
  const world = await botWorld({ storeUrl: await storeWithSettings(settings) });
  const manager = world.as(MODERATOR);
  const [mine, others] = [await openPanel(manager), await openPanel(world.as(OUTSIDER))];
  await mine.open(section);
  await others.open(section);
  return { ...world, manager, mine, others };
}

const line = (name: keyof typeof texts.names, ...shown: string[]) =>
  `**${texts.names[name]}:** ${shown.join(', ')}\n`;

test('a pick in a panel that was open before keeps what another manager has added and taken out', async () => {
  const world = await managersWorld('access', { channels: [CHANNEL, SECOND_CHANNEL] });
  const { mine, others } = world;
  const third = world.discord.world.addChannel(GUILD, { name: 'third' });
  const fourth = world.discord.world.addChannel(GUILD, { name: 'fourth' });
  others.shown(await others.pick('channels', 'access', [SECOND_CHANNEL, third]));
  const picked = await mine.pick('channels', 'access', [CHANNEL, SECOND_CHANNEL, fourth]);
  const [kept, added, more] = [SECOND_CHANNEL, third, fourth].map((id) => `<#${id}>`);
  expect(mine.shown(picked)).toContain(line('channels', `${kept}`, `${added}`, `${more}`));
  expect(mine.shown(await mine.pick('channels', 'access', [third, fourth]))).toContain(
    line('channels', `${added}`, `${more}`),
  );
});

test('two picks that would leave a list empty, and so allow everything, are not put together', async () => {
  const { mine, others, manager } = await managersWorld('access', { roles: [STAFF_ROLE, BOT_ROLE] });
  others.shown(await others.pick('roles', 'access', [STAFF_ROLE]));
  // Together the two would leave none, and none is everybody.
  const { content } = await refusalOfPick(manager, mine.pick('roles', 'access', [BOT_ROLE]));
  expect(plain(content)).toBe(texts.changedSince);
  expect(await others.open('access')).toContain(line('roles', `<@&${STAFF_ROLE}>`));
});

test('a pick of workflows keeps those that another manager has allowed since', async () => {
  const { mine, others } = await managersWorld('pictures', { workflows: ['anime'] });
  others.shown(await others.pick('workflows', 'pictures', ['anime', 'rr3']));
  const picked = mine.shown(await mine.pick('workflows', 'pictures', ['z-image']));
  expect(picked).toContain(line('workflows', 'rr3', 'z-image'));
});

test('a menu of channels has another id each time it is shown, whatever it shows', async () => {
  const { mine } = await managersWorld('access');
  const ids = [menuIn(mine.panel(), 'channels', 'access')];
  for (const channels of [[SECOND_CHANNEL], []]) {
    mine.shown(await mine.pick('channels', 'access', channels));
    ids.push(menuIn(mine.panel(), 'channels', 'access'));
  }
  expect(new Set(ids).size).toBe(3);
});

test('a channel that was deleted leaves its list with the next pick', async () => {
  const { discord, mine } = await managersWorld('access', { channels: [CHANNEL, SECOND_CHANNEL] });
  discord.world.deleteChannel(SECOND_CHANNEL);
  expect(await mine.open('access')).toContain(texts.deleted(SECOND_CHANNEL));
  const third = discord.world.addChannel(GUILD, { name: 'third' });
  const picked = mine.shown(await mine.pick('channels', 'access', [CHANNEL, third]));
  expect(picked).toContain(line('channels', `<#${CHANNEL}>`, `<#${third}>`));
});

test('a form of limits that was open before changes only what was changed in it', async () => {
  const { mine, others } = await managersWorld('limits', { limits: { keyDay: 5, keyCreditsDay: 100 } });
  const send = await mine.form(texts.limitForms.key, { keyDay: '7', keyCreditsDay: '100' });
  others.shown(await others.fill(texts.limitForms.key, { keyCreditsDay: '', keyCreditsMonth: '3000' }));
  const sent = mine.shown(await send());
  expect(sent).toContain(`**${texts.limits.keyDay}:** 7\n`);
  expect(sent).toContain(`**${texts.limits.keyCreditsDay}:** ${texts.unlimited}\n`);
  expect(sent).toContain(`**${texts.limits.keyCreditsMonth}:** 3000`);
});

test('nor does what was typed wrong and is mended later change anything else', async () => {
  const { mine, others, manager } = await managersWorld('limits', { limits: { memberDay: 5 } });
  const typed = { openRequests: '2', memberHour: 'many', memberDay: '5' };
  const refused = messageOf(await mine.fill(texts.limitForms.member, typed));
  others.shown(await others.fill(texts.limitForms.member, { memberDay: '9' }));
  const form = await manager.press(refused.id, buttonOf(refused, en.editForm.edit));
  if (form.kind !== 'modal') throw new Error(form.kind);
  await manager.submitModal(form.interactionId, { ...typed, memberHour: '4' });
  const shown = await others.open('limits');
  expect(shown).toContain(`**${texts.limits.openRequests}:** 2\n`);
  expect(shown).toContain(`**${texts.limits.memberHour}:** 4\n`);
  expect(shown).toContain(`**${texts.limits.memberDay}:** 9\n`);
});

test('a form of words that was open before undoes nothing, and opened again it shows both', async () => {
  const { mine, others, manager } = await managersWorld('moderation', { blockedWords: ['fox', 'cat'] });
  const label = texts.names.blockedWords;
  const send = await mine.form(label, { words: 'fox\nwolf' });
  others.shown(await others.fill(label, { words: 'fox\ncat\ntiger' }));
  const refused = messageOf(await send());
  expect(plain(refused.content)).toBe(texts.wordsChangedSince);
  expect(await others.open('moderation')).toContain('`fox`, `cat`, `tiger`');

  const form = await manager.press(refused.id, buttonOf(refused, en.editForm.edit));
  if (form.kind !== 'modal') throw new Error(form.kind);
  expect(JSON.stringify(form.modal)).toContain(JSON.stringify('fox\ncat\ntiger\nwolf'));
  await manager.submitModal(form.interactionId, { words: 'fox\ntiger\nwolf' });
  expect(await others.open('moderation')).toContain('`fox`, `tiger`, `wolf`');
});

test('nor does one that was refused for a word, where another manager has blocked others since', async () => {
  const { mine, others, manager } = await managersWorld('moderation', { blockedWords: ['fox'] });
  const label = texts.names.blockedWords;
  const refused = messageOf(await mine.fill(label, { words: 'fox\n**' }));
  others.shown(await others.fill(label, { words: 'fox\ntiger' }));
  const form = await manager.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(form)).toContain(JSON.stringify('fox\ntiger\n**'));
});

test('a form of words that is sent twice is no change of somebody else', async () => {
  const { mine } = await managersWorld('moderation', { blockedWords: ['fox'] });
  const send = async () => mine.form(texts.names.blockedWords, { words: 'wolf' });
  const [first, second] = [await send(), await send()];
  for (const sent of [first, second]) expect(mine.shown(await sent())).toContain('`wolf`');
});
