import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { GRAPH_BOUNDS } from '../../src/graphs/named-graph.ts';
import { BLOCKED_WORDS } from '../../src/guilds/guild-settings.ts';
import type { Inspection } from '../../src/requests/inspection/inspect.ts';
import { createInspector } from '../../src/requests/inspection/inspector.ts';

const MANY_WORDS = Array.from(
  { length: BLOCKED_WORDS.most },
  (_, nth) => `${'\u0406'.repeat(BLOCKED_WORDS.characters - 3)}${nth}`,
);
/** Blocked words that take long to compile: of letters that all differ, and of one that stands for eighteen. */
const HOSTILE_WORDS = [(nth: number) => String.fromCodePoint(0x4e00 + nth), () => '\ufdfa'].map((letter) =>
  Array.from({ length: BLOCKED_WORDS.most * 0.75 }, (_, word) =>
    Array.from({ length: BLOCKED_WORDS.characters }, (_, nth) => letter(word * 60 + nth)).join(''),
  ),
);
const nodesOf = (text: string) => ({ 1: { class_type: 'A', inputs: { text } } });
/** A text of a graph, as long as one may have, and a word at its end. */
const longest = (filler: string, times = 60 * 1024): Inspection => ({
  submission: { prompt: 'a fox' },
  graph: { name: 'long', nodes: nodesOf(`${filler.repeat(times)} hare`), uses: [] },
  tasks: [{ seed: 1 }],
  blockedWords: [...MANY_WORDS, 'hare'],
});
const SHORT: Inspection = { ...longest(''), blockedWords: ['hare'] };
const FOUND = { kind: 'word', word: 'hare' };

function inspectorOfTest({ timeoutMs = WAIT_TIMEOUT_MS } = {}) {
  const inspector = createInspector({ timeoutMs });
  onTestFinished(inspector.close);
  return inspector;
}

/** Milliseconds that this thread alone has worked, by Linux. */
const threadMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

test('what is short and what is long is read alike', async () => {
  const inspector = inspectorOfTest();
  expect((await inspector.inspect('1', SHORT)).problem).toEqual(FOUND);
  expect((await inspector.inspect('1', longest('a '))).problem).toEqual(FOUND);
  const file = (text: string) => Buffer.from(JSON.stringify(nodesOf(text)));
  expect(await inspector.parseGraph('1', file('%prompt%'))).toMatchObject({ graph: { uses: ['prompt'] } });
  expect(await inspector.parseGraph('1', file('%prompt%'.repeat(4_000)))).toMatchObject({
    graph: { uses: ['prompt'] },
  });
});

test.each([
  [
    'an input of a node that ComfyUI does not bring with it',
    { class_type: 'Names', inputs: { hare: 1 } },
    FOUND,
  ],
  ['a key in an input', { class_type: 'KSampler', inputs: { seed: [{ a: { hare: {} } }] } }, FOUND],
  ['an input of a node of ComfyUI', { class_type: 'KSampler', inputs: { hare: 1 } }, undefined],
])('what is named is looked through: %s', async (_, node, problem) => {
  const named = { ...SHORT, graph: { name: 'named', nodes: { 1: node }, uses: [] } };
  expect((await inspectorOfTest().inspect('1', named)).problem).toEqual(problem);
});

test('the id of a node is looked through where it is a word', async () => {
  const withId = (id: string) => ({
    ...SHORT,
    graph: { name: 'named', nodes: { [id]: { class_type: 'KSampler', inputs: {} } }, uses: [] },
    blockedWords: ['hare', '88'],
  });
  const inspector = inspectorOfTest();
  expect((await inspector.inspect('1', withId('hare'))).problem).toEqual(FOUND);
  expect((await inspector.inspect('1', withId('88:1'))).problem).toBeUndefined();
});

test.runIf(process.platform === 'linux')(
  'the longest texts keep this thread no longer than 20 ms',
  async () => {
    const inspector = inspectorOfTest();
    const asked = longest('a ');
    const escaped = longest(String.raw`\u0061 `, 15 * 1024);
    const objects = Buffer.from(`[${'{},'.repeat(GRAPH_BOUNDS.file / 3 - 1)}{}`);
    // A thread is there.
    await inspector.inspect('1', asked);
    const longestTurn = async () => {
      let before = threadMs();
      let isDone = false;
      const reading = Promise.all([
        inspector.inspect('1', asked),
        inspector.inspect('4', escaped),
        inspector.parseGraph('2', objects),
        ...HOSTILE_WORDS.map((blockedWords, nth) => inspector.inspect(`3${nth}`, { ...SHORT, blockedWords })),
      ]).finally(() => {
        isDone = true;
      });
      let most = threadMs() - before;
      for (before = threadMs(); !isDone; before = threadMs()) {
        await setImmediate();
        most = Math.max(most, threadMs() - before);
      }
      await reading;
      return most;
    };
    // Measured again where this thread collected other tests' memory meanwhile.
    await expect.poll(longestTurn).toBeLessThan(20);
  },
);

test('who has sent too much waits; nobody else does', async () => {
  const inspector = inspectorOfTest();
  const asked = longest('a ', 8 * 1024);
  const flood = Array.from({ length: 40 }, () => inspector.inspect('1', asked));
  const other = await inspector.inspect('2', asked);
  expect(other.problem).toEqual(FOUND);
  const busy = (await Promise.all(flood)).filter(({ problem }) => problem?.kind === 'busy');
  expect(busy).toHaveLength(36);
});

test('what takes too long ends with its thread, and the next text is read', async () => {
  const inspector = inspectorOfTest({ timeoutMs: 2_000 });
  // One letter that stands for eighteen, and no word that ends the search: minutes on a fast machine.
  const tasks = Array.from({ length: 80 }, (_, seed) => ({ seed }));
  const slow = { ...longest('\ufdfa '), blockedWords: MANY_WORDS, tasks };
  expect((await inspector.inspect('1', slow)).problem).toEqual({ kind: 'slow' });
  const next = async () => (await inspector.inspect('1', longest('a ', 1_024))).problem;
  await expect.poll(next).toEqual(FOUND);
});

test('words that would fill a graph beyond what a service takes are refused before they are', async () => {
  const inspector = inspectorOfTest();
  const graph = { name: 'many', nodes: nodesOf('%prompt%'.repeat(16_000)), uses: ['prompt' as const] };
  const asked = { ...SHORT, graph, submission: { prompt: 'x'.repeat(4_000) } };
  expect((await inspector.inspect('1', asked)).problem).toEqual({ kind: 'filled-too-large' });
});
