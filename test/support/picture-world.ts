import { ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult } from 'local-discord';
import sharp from 'sharp';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { type BotWorld, botWorld } from './bot.ts';

/** What the picture of a world is asked for by. */
export const FOX = { prompt: 'a red fox', size: '64x96' };

/** What stands on the buttons and menus under a message, row by row. */
export const labelsOf = ({ components = [] }: Pick<APIMessage, 'components'>) =>
  components.map((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.map((one) =>
          'label' in one ? one.label : 'placeholder' in one ? one.placeholder : '',
        )
      : [],
  );
export const footerOf = ({ embeds }: APIMessage) => embeds[0]?.footer?.text;
export const linkTo = (message: APIMessage) =>
  `https://discord.com/channels/${GUILD}/${CHANNEL}/${message.id}`;

/** A photograph of one's own, as large as it says. */
export async function photograph(name = 'cat.png', { width = 160, height = 120 } = {}) {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#335577' } })
    .png()
    .toBuffer();
  return { name, bytes: new Uint8Array(bytes), contentType: 'image/png' };
}

/** A world with a picture in it, whose service makes everything of pictures unless given. */
export async function pictureWorld(
  options = {},
  world: Parameters<typeof botWorld>[0] = {},
  engine = editingEngine(),
) {
  const whole = await botWorld({ ...world, service: { engine, ...world.service } });
  const picture = await whole.imagined({ ...FOX, ...options });
  // It is seen before the bot has Discord's answer: whoever lets a month pass then has it not delivered.
  await whole.logs('"msg":"delivered"');
  return {
    ...whole,
    engine,
    picture,
    sources: () => engine.drawn.flatMap(({ drawing }) => drawing.source ?? []),
  };
}

/** What a press, a pick or a form has begun, once it has ended. */
export const begun = (result: InteractionResult, { ended }: Pick<BotWorld, 'ended'>): Promise<APIMessage> =>
  ended(messageOf(result).id);

export const contentOf = (result: InteractionResult) =>
  result.kind === 'message' ? result.message.content : JSON.stringify(result);

/** The custom id of a menu, by the name that it begins with. */
export const selectOf = ({ components }: APIMessage, name: string): string => {
  const [id = ''] = new RegExp(`imagine:${name}:[^"]+`).exec(JSON.stringify(components)) ?? [];
  return id;
};
