import { until } from '@darkroom/testing';
import { ApplicationCommandOptionType, REST, Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult } from 'local-discord';
import { commands } from '../commands/index.ts';
import { paint } from '../packages/image-service/test/support/engines.ts';
import { isLoading } from '../packages/local-discord/src/page/message-flags.ts';
import { messageOf } from '../packages/local-discord/test/support/message-of.ts';
import { confirmed } from '../src/playground/demo/confirmed.ts';
import { BOT_ID, FIRST_CHANNEL, MEMBER, MODERATOR, SECOND_CHANNEL } from '../src/playground/demo-world.ts';
import { graphFile, POSTER } from '../test/support/graph-file.ts';
import { usesOf } from '../test/support/uses.ts';
import { type Use, walk } from '../test/support/walk.ts';
import { startBenchPlayground } from './bench-playground.ts';
import type { Line } from './line.ts';

/** What is typed where any words would be refused. */
const TYPED: Readonly<Record<string, string>> = {
  size: '512x512',
  flags: '--steps 10',
  month: '2026-11',
  name: 'poster',
  graph_name: 'poster',
};

/** Stand where the service can change a photograph, which one that sketches cannot. */
const BEYOND_SKETCHES: ReadonlySet<string> = new Set(['button imagine:change', 'form imagine:change']);

/** Made before: for everybody, for their member only, and several that are asked about. */
const PICTURES = [
  { prompt: 'a red fox', size: '512x512' },
  { prompt: 'a red fox', size: '512x512', private: true },
  { prompt: 'a {red, white} fox', size: '512x512' },
];

/**
 * The time from everything that a person can do with the bot to what they first see of its answer, 'thinking'
 * included.
 */
export async function everyAnswer({
  notice,
}: {
  /** Is told what was slowest, and what was not answered. */
  notice(line: string): void;
}): Promise<readonly Line[]> {
  const playground = await startBenchPlayground();
  const { discord } = playground;
  const rest = new REST({ api: discord.apiUrl, version: '10' }).setToken(discord.token(BOT_ID));
  const [member, moderator] = [discord.as(MEMBER.id), discord.as(MODERATOR.id)];
  // One takes five messages in five seconds.
  const channelIds = [FIRST_CHANNEL, SECOND_CHANNEL] as const;
  const posted = new Set<string>();
  const times: { name: string; ms: number }[] = [];
  const used = new Set<string>();

  async function use({ name }: Use, interact: () => Promise<InteractionResult>): Promise<InteractionResult> {
    const startedAt = performance.now();
    const answer = await interact();
    times.push({ name, ms: performance.now() - startedAt });
    if (answer.kind !== 'failure') used.add(name);
    return answer;
  }

  /** Resolves once nothing is under way that a message of the bot's own accord shows. */
  const settled = async (): Promise<void> => {
    await until(() => {
      const messages = channelIds.flatMap((id) => member.messages(id, { limit: 500 }));
      return !messages.some((message) => !posted.has(message.id) && isUnderWay(message));
    }, 'every answer and picture');
  };

  try {
    // Those on the way may be cancelled before two are there to be picked from.
    const several = await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a red fox', count: 2 });
    messageOf(await confirmed(several, member));
    for (const options of PICTURES) await member.invoke(FIRST_CHANNEL, 'imagine', options);
    await settled();
    const [messageId = '', jobId = ''] = pictureIn(member.messages(FIRST_CHANNEL));
    const { bytes } = await paint({ width: 64, height: 96 });
    const photograph = { name: 'cat.png', bytes, contentType: 'image/png' };
    await walk({
      commands,
      people: [member, moderator],
      channelIds,
      messageIds: [
        messageId,
        (await member.say(FIRST_CHANNEL, 'a red fox')).id,
        (await member.say(FIRST_CHANNEL, '', [photograph])).id,
        (await member.say(FIRST_CHANNEL, '', [photograph, photograph])).id,
      ],
      jobId,
      entries: {
        type: (field, longest) => (TYPED[field] ?? 'a red fox').slice(0, longest),
        attach: (name) => (name === 'image' ? photograph : graphFile(POSTER)),
        pick: {
          [ApplicationCommandOptionType.User]: MODERATOR.id,
          [ApplicationCommandOptionType.Role]: discord.as(MODERATOR.id).guilds()[0]?.roles.at(-1)?.id ?? '',
          [ApplicationCommandOptionType.Channel]: FIRST_CHANNEL,
        },
      },
      async post(components) {
        const body = { content: 'a picture', components };
        const channelId = channelIds[posted.size % channelIds.length] ?? FIRST_CHANNEL;
        // The local Discord answers as Discord does: with the message.
        const { id } = (await rest.post(Routes.channelMessages(channelId), { body })) as APIMessage;
        posted.add(id);
        return id;
      },
      use,
      settled,
    });
  } finally {
    await playground.stop();
  }
  const offered = usesOf(commands).filter((name) => !BEYOND_SKETCHES.has(name));
  const slowest = times.reduce((one, other) => (other.ms > one.ms ? other : one));
  notice(`  slowest: ${slowest.name}`);
  for (const name of offered.filter((name) => !used.has(name))) notice(`  not answered: ${name}`);
  const every = 'every command, button, menu and form';
  return [
    { name: `${every}: first visible answer`, unit: 'ms', ours: times.map(({ ms }) => ms) },
    { name: `${every}: slowest`, unit: 'ms', ours: [slowest.ms], goal: { atMost: 500 } },
    { name: `${every}: of them, answered`, unit: '', ours: [used.size], goal: { atLeast: offered.length } },
  ];
}

/** The first message that shows a picture, and its job. */
function pictureIn(messages: readonly APIMessage[]): [messageId: string, jobId: string] | [] {
  for (const { id, components } of messages) {
    const [, jobId] = /imagine:again:(\d+)/.exec(JSON.stringify(components)) ?? [];
    if (jobId !== undefined) return [id, jobId];
  }
  return [];
}

const isUnderWay = (message: APIMessage): boolean =>
  isLoading(message) || JSON.stringify(message.components).includes('imagine:cancel:');
