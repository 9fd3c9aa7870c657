import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createKeptGraphs, graphName, MOST_GRAPHS } from '../../src/graphs/kept-graphs.ts';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import { createStoreWorld } from '../support/store.ts';

const HERE = '300000000000000001';
const ELSEWHERE = '300000000000000002';

const aGraph = (name: string): NamedGraph => ({
  name,
  nodes: { 1: { class_type: 'KSampler', inputs: { seed: 7 } } },
  uses: [],
});

async function keptWorld() {
  const { store, reopen } = await createStoreWorld();
  const clock = createFakeClock();
  return {
    kept: createKeptGraphs({ store, clock }),
    reopened: async () => createKeptGraphs({ store: await reopen(), clock }),
  };
}

test('a server keeps graphs by name, whatever the case, and finds them after a restart', async () => {
  const { kept, reopened } = await keptWorld();
  expect(await kept.save(HERE, aGraph('Movie poster'))).toBe('saved');
  expect(await kept.save(HERE, aGraph('MOVIE POSTER'))).toBe('replaced');
  const later = await reopened();
  expect(await later.find(HERE, ' movie  poster ')).toMatchObject({ name: 'MOVIE POSTER' });
  expect(await later.list(HERE)).toMatchObject([{ name: 'MOVIE POSTER', nodes: 1 }]);
  expect(await later.find(ELSEWHERE, 'movie poster')).toBeUndefined();
});

test('a server keeps so many, and another takes its own place', async () => {
  const { kept } = await keptWorld();
  for (let nth = 0; nth < MOST_GRAPHS; nth++) await kept.save(HERE, aGraph(`graph ${nth}`));
  expect(await kept.save(HERE, aGraph('one more'))).toBe('full');
  expect(await kept.save(HERE, aGraph('graph 0'))).toBe('replaced');
  expect(await kept.save(ELSEWHERE, aGraph('one more'))).toBe('saved');
});

test('of those that are kept at the same time none is one too many, and none loses its nodes', async () => {
  const { kept } = await keptWorld();
  for (let nth = 1; nth < MOST_GRAPHS; nth++) await kept.save(HERE, aGraph(`graph ${nth}`));
  const both = ['one', 'more'].map((name) => kept.save(HERE, aGraph(name)));
  expect(await Promise.all(both)).toEqual(['saved', 'full']);
  await Promise.all([kept.remove(HERE, 'one'), kept.save(HERE, aGraph('one'))]);
  expect(await kept.find(HERE, 'one')).toEqual(aGraph('one'));
});

test('what is removed, and what a server left behind, is gone', async () => {
  const { kept } = await keptWorld();
  await kept.save(HERE, aGraph('a'));
  await kept.save(HERE, aGraph('b'));
  await kept.save(ELSEWHERE, aGraph('c'));
  expect(await kept.remove(HERE, 'A')).toBe('a');
  expect(await kept.remove(HERE, 'A')).toBeUndefined();
  expect(await kept.guildIds()).toEqual([HERE, ELSEWHERE]);
  await kept.purgeGuild(HERE);
  expect(await kept.list(HERE)).toEqual([]);
  expect(await kept.find(HERE, 'b')).toBeUndefined();
  expect(await kept.guildIds()).toEqual([ELSEWHERE]);
});

test('a name has letters or digits, and no more than are read', () => {
  expect(graphName('  Plakat  für Ärzte ')).toBe('Plakat für Ärzte');
  for (const name of ['', ' ', '../x', 'a:b', '<@1>', 'x'.repeat(41)])
    expect(graphName(name)).toBeUndefined();
});
