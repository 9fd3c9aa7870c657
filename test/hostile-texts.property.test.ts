import { apiKey, redactCredentials, submission } from '@darkroom/image-api';
import { cpuMs, growth } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsKey } from '../src/bot/holds-key.ts';
import { isReadOnTheWay } from '../src/credentials/plain-address.ts';
import { describeGraph } from '../src/graphs/describe-graph.ts';
import { filledCharacters, fillGraph, placeholdersIn } from '../src/graphs/fill-graph.ts';
import { demandsOf } from '../src/graphs/graph-demands.ts';
import { whereJsonBreaks } from '../src/graphs/json-position.ts';
import { graphName } from '../src/graphs/kept-graphs.ts';
import { parseGraph } from '../src/graphs/parse-graph.ts';
import { compileBlockedWords } from '../src/guilds/blocked-words.ts';
import { BLOCKED_WORDS } from '../src/guilds/guild-settings.ts';
import { parseSize } from '../src/limits/size.ts';
import { scrub } from '../src/log.ts';
import { foreignText, inCode } from '../src/messages/foreign-text.ts';
import { linkCommands } from '../src/messages/link-commands.ts';
import { en } from '../src/messages/locale/en.ts';
import { toBody, verbatim } from '../src/messages/message.ts';
import { escapeFlags, formatFlags, parseFlags } from '../src/requests/flags.ts';
import { MAX_PICTURES } from '../src/requests/options.ts';
import { escapePermutations, expandPermutations } from '../src/requests/permutations.ts';
import { search } from '../src/requests/search.ts';
import { likelySize, readSize, suggestSizes } from '../src/requests/sizes.ts';
import { usageCsv } from '../src/usage/usage-csv.ts';

const nodesOf = (text: string) => ({ 1: { class_type: 'A', inputs: { text } } });
const bytesOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const VALUES = { prompt: '', negative_prompt: '', seed: 7, width: 64, height: 64 };
const MANY_WORDS = Array.from({ length: BLOCKED_WORDS.most }, (_, nth) => `*a${nth}*s*`);
const ROW = { day: '2026-11-22', memberId: null, pictures: 1, failed: 0, credits: 0 };

/** Whatever reads a text that a member sends, or that stands in what they send. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a text in a graph': (text) => parseGraph(bytesOf(nodesOf(text))),
  'a title in a graph': (text) => parseGraph(bytesOf({ 1: { ...nodesOf('')[1], _meta: { title: text } } })),
  'an input of a graph': (text) => parseGraph(bytesOf({ 1: { class_type: 'A', inputs: { [text]: text } } })),
  'a file that is no graph': (text) => parseGraph(Buffer.from(text)),
  'where JSON breaks': (text) => whereJsonBreaks(`{"a": ["${text}`),
  'what a graph holds': (text) => describeGraph(nodesOf(text)),
  'what a graph demands': (text) => demandsOf({ 1: { class_type: text, inputs: { upscale_model: text } } }),
  'placeholders of a graph': (text) => placeholdersIn(nodesOf(text)),
  'a graph that is filled in': (text) => fillGraph({ nodes: nodesOf(text), uses: [] }, VALUES),
  'how long a graph gets': (text) => filledCharacters({ nodes: nodesOf(text) }, VALUES),
  'the name of a graph': graphName,
  flags: parseFlags,
  'flags that are written': (text) => formatFlags({ model: text, negative_prompt: text }),
  'words without flags': escapeFlags,
  permutations: (text) => expandPermutations(text, MAX_PICTURES),
  'words without permutations': escapePermutations,
  'a size': (text) => [parseSize(text), readSize(text), likelySize(text, en.sizes)],
  'a size that is typed': (text) => suggestSizes(text, en.sizes),
  'what is searched for': (text) => search(['a castle', text], text, { namesOf: (name) => [name] }),
  'a submission': (text) => submission.safeParse({ prompt: text, model: text }),
  'a prompt where a word is blocked': (text) => compileBlockedWords(['fox', 'a*b']).findIn({ prompt: text }),
  'a prompt where many words are blocked': (text) => compileBlockedWords(MANY_WORDS).findIn({ prompt: text }),
  'a key': (text) => [apiKey.safeParse(text), holdsKey(text)],
  'an address': (text) => isReadOnTheWay(`http://${text}`),
  'a text in a log': scrub,
  'a text in an error': redactCredentials,
  'a name': (text) => [foreignText(text, text.length), inCode(text)],
  'a prompt that is shown': verbatim,
  'a message': (text) => [toBody({ content: text }), linkCommands({ content: text }, () => '1')],
  'a table': (text) => usageCsv({ parts: [{ ...ROW, workflow: text }] }),
};

/** What the patterns of the code begin with, what they repeat, and what ends them. */
const PIECES = [
  ...['', 'a', 'x', '1', 'A', ' ', '\n', '\t', '.', ',', ':', ';', '=', '@', '/', '\\', '-', '_', '*', '%'],
  ...['{', '}', '{a,', '[', '<', '"', "'", '“', '`', '|', 'a://', 'a:', 'sk-', 'sk_a', 'SK-a1', 'hf_', 'eyJ'],
  ...[
    'eyJabcdefghij.',
    'AIza',
    'bearer ',
    'basic',
    '-----BEGIN ',
    '?token=',
    '&sig=',
    '%prompt',
    '`/a',
    '` ',
  ],
  ...[
    'discord.com/api/webhooks/1',
    'x-api-key: ',
    '"token":"',
    'authorization',
    'aW50ZXJhY3Rpb246',
    '--',
    '—a',
  ],
  ...[
    '--no ',
    '--seed=',
    '--bearer ',
    's p ',
    '1x',
    ' px',
    '12',
    '\u0301',
    '\u202e',
    '\u0130',
    'ß',
    '\ufdfa',
  ],
  ...['\u043a', '\u0422', '\ud800', '日'],
];
const piece = fc.constantFrom(...PIECES);

/** What stands once, is repeated, stands once, and is repeated as often. */
type Shape = [string, string, string, string];

/** Shapes that have taken a time that grew with the square of their length. */
const KNOWN: Shape[] = [
  ['a://', 'x', '', ''],
  ['eyJabcdefgh', '-eyJabcdefgh', '', ''],
  ['', '{', 'a, b', '}'],
  ['{a, b} ', '\\', '', ' '],
  ['--seed ', ',', 'x', ''],
  ['12', ' ', 'z', ''],
  ['', ' ', 'x', ''],
];

/** Four times as many are the most that a prompt may have. */
const CHARACTERS = 1_000;
/** Four times the length takes about four times as long; by its square it would be sixteen times. */
const MOST_GROWTH = 9;
/** Quicker than this, in milliseconds, nothing can be told from noise. */
const LEAST_MS = 4;

test.each(Object.entries(READERS))('%s takes as long as it is', (_, read) => {
  const textOf = ([before, repeated, between, closing]: Shape, length: number) => {
    const times = length / Math.max(1, repeated.length + closing.length);
    return `${before}${repeated.repeat(times)}${between}${closing.repeat(times)}`;
  };
  fc.assert(
    fc.property(fc.tuple(piece, piece, piece, piece), (shape) => {
      const text = textOf(shape, 4 * CHARACTERS);
      if (cpuMs(() => read(text)) < LEAST_MS || cpuMs(() => read(text)) < LEAST_MS) return;
      const grows = () => growth((length) => read(textOf(shape, length)), CHARACTERS) > MOST_GROWTH;
      expect(grows() && grows()).toBe(false);
    }),
    { numRuns: 60, examples: KNOWN.map((shape): [Shape] => [shape]), endOnFailure: true },
  );
});
