import { MINUTE_MS } from '@darkroom/time';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult } from 'local-discord';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  OTHER_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorldOptions, botWorld } from './bot.ts';
import { buttonOf } from './buttons.ts';
import { plain } from './commands.ts';

/** A job whose picture is finished when the test says so. */
export async function startedJob(
  options: Record<string, string | boolean> = {},
  { channelId = CHANNEL, ...world }: BotWorldOptions & { channelId?: string } = {},
) {
  const engine = controlledEngine();
  const whole = await botWorld({ service: { engine }, operatorScope: { outside: true }, ...world });
  const { discord, member, clock } = whole;
  if (channelId !== CHANNEL) discord.world.setInstalled(MEMBER, BOT, true);
  const answer = messageOf(await member.invoke(channelId, 'imagine', { prompt: 'a red fox', ...options }));
  const drawing = await engine.next();
  drawing.progress(40);
  await whole.reads('40 %');

  return {
    ...whole,
    engine,
    drawing,
    reply: answer,
    /** What the reply says now. */
    said: () => plain(member.message(answer.id)?.content ?? ''),
    /** Lets so much time pass that the reply says how the picture will come. */
    async untilHandover(): Promise<void> {
      clock.advance(13.2 * MINUTE_MS);
      const onlyDirect = options.private === true || channelId !== CHANNEL;
      await whole.reads(onlyDirect ? en.handover.slowPrivate : en.handover.slow);
    },
    /** Lets the reply's token die. */
    async outliveToken(): Promise<void> {
      await this.untilHandover();
      clock.advance(2 * MINUTE_MS);
    },
    /** Every message with a picture that the member or somebody else can see. */
    seen(): APIMessage[] {
      const channels = [CHANNEL, OTHER_CHANNEL, ...member.directMessages().map(({ id }) => id)];
      const visible = channels.flatMap((id) => {
        try {
          return member.messages(id, { limit: 500 });
        } catch {
          return [];
        }
      });
      return visible.filter(({ attachments }) => attachments.length > 0);
    },
    /** The conversation of bot and member, oldest first. */
    direct: () => member.messages(member.openDirectMessage(BOT).id),
    /** Presses Show beside the first of the member's jobs. */
    async show(): Promise<InteractionResult> {
      const listed = messageOf(await member.invoke(CHANNEL, 'jobs'));
      const list = await whole.ended(listed.id);
      return member.press(list.id, buttonOf(list, en.jobs.show(1)));
    },
  };
}
