import type { InteractionResult, UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import {
  CHANNEL,
  MEMBER,
  OTHER_CHANNEL,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { GRAPH_BOUNDS } from '../../src/graphs/named-graph.ts';
import { BLOCKED_WORDS } from '../../src/guilds/guild-settings.ts';
import { PROMPT_CHARACTERS } from '../../src/requests/imagine-options.ts';
import { graphFile } from '../support/graph-file.ts';
import { measuredBot } from '../support/measured-bot.ts';

/** As many and as long as a server may have. */
const blockedWords = Array.from(
  { length: BLOCKED_WORDS.most },
  (_, nth) => `${'\u0406'.repeat(BLOCKED_WORDS.characters - 3)}${nth}`,
);

const filled = (piece: string, characters: number): string =>
  piece.repeat(Math.floor(characters / piece.length));
const textOf = (piece: string) => ({
  1: { class_type: 'A', inputs: { text: filled(piece, GRAPH_BOUNDS.characters - 100) } },
});
const valuesOf = (value: unknown, characters: number) => ({
  1: { class_type: 'A', inputs: { list: Array(characters).fill(value) } },
});

/** The longest files that are read, of what takes longest to read. */
const FILES: unknown[] = [
  ...['a ', 'xa', 'a://x', 'eyJabcdefgh-', '\u0406', '\ufdfa ', '%prompt%', '-----BEGIN '].map(textOf),
  valuesOf(0, 60_000),
  valuesOf({}, 40_000),
  filled('{},', GRAPH_BOUNDS.file - 10),
  filled('[', GRAPH_BOUNDS.file - 10),
  filled('{"a":', GRAPH_BOUNDS.file - 10),
];
const PROMPTS = ['a ', '\ufdfa ', '{', '{a,b}', '--seed ', '\u0406', '{a, \ufdfa'].map((piece) =>
  filled(piece, PROMPT_CHARACTERS - 10),
);

/** A server that blocks as much as it can, and another one, with the compiled bot in a process of its own. */
async function twoServers() {
  const { discord, bot, turns } = await measuredBot({ settings: { blockedWords } });
  return { hostile: discord.as(MEMBER), stranger: discord.as(OUTSIDER), bot, turns };
}

const send = (user: UserClient, options: Parameters<UserClient['invoke']>[2]): Promise<InteractionResult> =>
  user.invoke(CHANNEL, 'imagine', options);

test.runIf(process.platform === 'linux')(
  'no text of a member keeps another server waiting for 200 ms',
  async () => {
    const { hostile, stranger, bot, turns } = await twoServers();
    const ask = () => stranger.invoke(OTHER_CHANNEL, 'jobs');
    const requests = [
      ...FILES.map((file) => ({ prompt: filled('a ', PROMPT_CHARACTERS), graph: graphFile(file) })),
      ...PROMPTS.map((prompt) => ({ prompt, size: '64x64' })),
    ];
    await Promise.all([send(hostile, { prompt: 'a fox', graph: graphFile(textOf('a fox ')) }), ask()]);
    turns.begin(bot);
    // As many at once as are read of one member.
    for (let first = 0; first < requests.length; first += 4) {
      const sent = requests.slice(first, first + 4).map((request) => send(hostile, request));
      const answers = await Promise.all([...sent, ask(), ask(), ask(), ask()]);
      expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => 'message'));
    }
    expect((await bot.end()).code).toBe(0);
    expect(await turns.longestMs()).toBeLessThan(200);
  },
);
