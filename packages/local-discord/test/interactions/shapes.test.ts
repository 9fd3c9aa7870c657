import { ComponentType, MessageFlags, Routes } from 'discord.js';
import {
  ErrorResponseSchema,
  GatewayBotResponseSchema,
  InteractionCallbackResponseSchema,
  MessageResponseSchema,
} from 'discord-api-spec/zod';
import { expect, test } from 'vitest';
import { buttonRow } from '../../../../test/support/buttons.ts';
import { CHANNEL, MEMBER } from '../support/local-discord.ts';
import { pingWorld, respond } from '../support/ping-world.ts';

test('every kind of message has the shape that Discord documents', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply({
      content: `hello <@${MEMBER}>`,
      embeds: [{ title: 't', description: 'd', fields: [{ name: 'n', value: 'v' }], footer: { text: 'f' } }],
      components: [buttonRow('a')],
      files: [{ name: 'a.txt', attachment: Buffer.from('abc'), description: 'alt' }],
    });
    await i.followUp({
      flags: MessageFlags.IsComponentsV2,
      components: [
        { type: ComponentType.TextDisplay, content: 'text' },
        { type: ComponentType.Separator },
        {
          type: ComponentType.Container,
          components: [
            { type: ComponentType.MediaGallery, items: [{ media: { url: 'attachment://b.png' } }] },
          ],
        },
      ],
      files: [{ name: 'b.png', attachment: Buffer.from('not really') }],
    });
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await expect.poll(() => member.messages(CHANNEL)).toHaveLength(2);
  await member.say(CHANNEL, 'by a person');
  for (const message of member.messages(CHANNEL)) {
    const parsed = MessageResponseSchema.safeParse(message);
    expect(parsed.error?.issues).toBeUndefined();
  }
});

test('answers about answers, errors and the gateway have the shapes that Discord documents', async () => {
  const world = await pingWorld();
  const problems: unknown[] = [];
  const check = async (
    schema:
      | typeof InteractionCallbackResponseSchema
      | typeof GatewayBotResponseSchema
      | typeof ErrorResponseSchema,
    value: unknown,
  ) => problems.push(schema.safeParse(value).error?.issues);
  await world.serve(async (i) => {
    const body = { type: 4, data: { content: 'x' } };
    const query = new URLSearchParams({ with_response: 'true' });
    const answer = () => respond(world.rest, i, { body, query });
    await check(InteractionCallbackResponseSchema, await answer());
    await check(ErrorResponseSchema, await answer().catch(({ rawError }) => rawError));
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await check(GatewayBotResponseSchema, await world.rest.get(Routes.gatewayBot()));
  await expect.poll(() => problems).toEqual([undefined, undefined, undefined]);
});
