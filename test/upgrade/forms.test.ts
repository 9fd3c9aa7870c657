import { ComponentType, Events, Routes, TextInputStyle } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
  sees,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { buttonRow } from '../support/buttons.ts';
import { type AccountName, forms, type OldForm, secrets } from './fixture.ts';
import { type Installation, installation } from './installation.ts';

test('a form that 0.1.0 opened does what it did when it is sent', async () => {
  const world = await installation({ discord: 'empty' });
  for (const form of forms) {
    const interactionId = await openForm(world, form);
    const secret = typedInto(form);
    const sent = world.as(form.by).submitModal(interactionId, { [form.field]: secret });
    if (form.does === 'revokes') {
      expect((await sent).kind).toBe('acknowledged');
      await sees(world.as(form.by), ({ content }) => content.includes('is revoked and unlinked'));
      const revoked = `${secrets.linked[`member:${MODERATOR}`]?.key}`;
      expect(await world.service.balance(revoked)).toMatchObject({ status: 401 });
      continue;
    }
    const { content } = await world.answered(form.by, sent);
    expect(content).toContain(forServer(form) ? `…${secret.slice(-4)}\` of **club**` : '**ada**');
    const variant = form.customId.slice('apikey:'.length);
    if (forServer(form)) continue;
    const { visibleHere } = (form.by === OUTSIDER ? de : en).apiKey;
    expect(content).toContain(visibleHere(variant.endsWith(':visible')));
  }
});

const forServer = ({ customId }: OldForm): boolean => customId.endsWith(':server');

/** A session of the same bot opens it while the bot itself is stopped, as one of another version did. */
async function openForm(world: Installation, form: OldForm): Promise<string> {
  await world.stopBot();
  const session = await world.login();
  session.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isButton()) return;
    void interaction.showModal({
      custom_id: form.customId,
      title: 'Of an earlier version',
      components: [
        {
          type: ComponentType.Label,
          label: 'A secret',
          component: { type: ComponentType.TextInput, custom_id: form.field, style: TextInputStyle.Short },
        },
      ],
    });
  });
  const body = { content: 'of an earlier version', components: [buttonRow('any').toJSON()] };
  // The local Discord answers as Discord does: with the message.
  const message = (await world.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const opened = await world.as(form.by).press(message.id, 'any');
  await session.destroy();
  if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
  await world.startBot();
  return opened.interactionId;
}

function typedInto(form: OldForm): string {
  const moderator = form.by === MODERATOR;
  if (form.typed === 'key')
    return `${secrets.linked[moderator ? `guild:${GUILD}` : `member:${MEMBER}`]?.key}`;
  const account: AccountName = moderator ? (forServer(form) ? 'club' : 'bea') : 'ada';
  return secrets.accounts[account].loginToken;
}
