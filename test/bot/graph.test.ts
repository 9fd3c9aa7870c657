import type { UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { GRAPH_BOUNDS } from '../../src/graphs/named-graph.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { plain } from '../support/commands.ts';
import { run } from '../support/ephemeral-reply.ts';
import { graphFile, POSTER } from '../support/graph-file.ts';

const save = (user: UserClient, name: string, content: unknown = POSTER) =>
  run(user, 'graph save', { name, file: graphFile(content) });

const suggested = async (user: UserClient, typed: string) =>
  (await user.autocomplete(CHANNEL, 'graph remove', { name: typed }, 'name')).choices.map(({ name }) => name);

test('a server keeps graphs that its moderators save, list and remove, and its log says who did', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  expect(plain((await run(world.member, 'graph list')).content)).toContain('no graphs yet');
  const saved = await save(moderator, 'Movie poster');
  expect(plain(saved.content)).toContain(en.graph.saved);
  expect(saved.content).toContain('**Movie poster** · 7 nodes');
  expect(saved.content).toContain('CLIPTextEncode ×2');
  expect(plain((await save(moderator, 'movie POSTER')).content)).toContain(en.graph.replaced);
  await save(moderator, 'Sticker');
  expect((await run(world.member, 'graph list')).embeds[0]?.description).toMatch(
    /^\*\*movie POSTER\*\* · 7 nodes · <t:\d+:R>\n\*\*Sticker\*\*/,
  );
  const shown = await run(world.member, 'graph list', { name: 'Movie poster' });
  const [, ...contents] = saved.content.split('\n');
  expect(contents.length).toBeGreaterThan(1);
  for (const line of contents.slice(1)) expect(shown.content).toContain(line);
  expect(plain((await run(world.member, 'graph list', { name: 'Other' })).content)).toContain('has no graph');
  expect(await suggested(moderator, 'POST')).toEqual(['movie POSTER']);
  expect(plain((await run(moderator, 'graph remove', { name: 'Movie Poster' })).content)).toBe(
    'Removed **movie POSTER**.',
  );
  expect(plain((await run(moderator, 'graph remove', { name: 'Movie Poster' })).content)).toContain(
    'has no graph',
  );
  expect(await suggested(moderator, '')).toEqual(['Sticker']);
});

test('only who manages the server saves and removes', async () => {
  const world = await botWorld();
  expect(plain((await save(world.member, 'Mine')).content)).toBe(en.refusal.needsManageServer);
  expect(plain((await run(world.member, 'graph remove', { name: 'Mine' })).content)).toBe(
    en.refusal.needsManageServer,
  );
  expect(plain((await run(world.member, 'graph list')).content)).toBe(en.graph.none);
});

test('what is no graph that can be sent is refused with what mends it, and nothing of a secret is told', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  const secret = 'hunter2hunter2';
  const leaking = { 1: { class_type: 'Upload', inputs: { api_key: secret } } };
  const refusals: [unknown, string][] = [
    [{ nodes: [], links: [] }, 'Export it with Workflow → Export (API)'],
    ['{"1": {"class_type" "A"}}', 'line 1, column 21'],
    [`{"1": ${secret}}`, 'line 1, column 7'],
    [{ just: 'JSON' }, 'isn’t a ComfyUI graph'],
    [leaking, 'looks like a key or password'],
    [`"${'x'.repeat(GRAPH_BOUNDS.file)}"`, 'too large'],
    [{ 1: { class_type: 'A', inputs: { text: 'x'.repeat(GRAPH_BOUNDS.characters) } } }, 'too large'],
  ];
  for (const [content, words] of refusals) {
    const { content: said } = await save(moderator, 'Bad', content);
    expect(said).toContain(words);
    expect(said).not.toContain(secret);
  }
  expect(plain((await save(moderator, '../bad')).content)).toBe(en.graph.badName);
  expect(plain((await run(moderator, 'graph list')).content)).toBe(en.graph.none);
  expect(world.lines.join('')).not.toContain(secret);
});

test('a graph from which no picture comes is neither kept nor drawn', async () => {
  const { as, member } = await botWorld();
  const { content } = await save(as(MODERATOR), 'Lone', { 3: POSTER[3] });
  expect(plain(content)).toBe(en.graph['no-output']);
  expect(await suggested(as(MODERATOR), '')).toEqual([]);
  const drawn = await run(member, 'imagine', { prompt: 'a fox', graph: graphFile({ 3: POSTER[3] }) });
  expect(plain(drawn.content)).toBe(en.graph['no-output']);
});
