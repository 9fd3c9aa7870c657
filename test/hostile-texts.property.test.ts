import { apiKey, OPERATIONS, type Operation, redactCredentials, submission } from '@darkroom/image-api';
import { cpuMs, growth } from '@darkroom/testing';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { commandLine } from '../commands/imagine/command-line.ts';
import { readEditForm } from '../commands/imagine/edit-form.ts';
import { readPageId } from '../commands/jobs/listing.ts';
import { withLimits, withWords } from '../commands/settings/forms.ts';
import { withoutExtraArguments } from '../packages/image-service/src/engines/extra-arguments.ts';
import { readGraphParameters } from '../packages/image-service/src/engines/graph-parameters.ts';
import { pixelsOf } from '../packages/image-service/src/engines/graph-pixels.ts';
import { sanitize } from '../packages/image-service/src/engines/servers/sanitize.ts';
import { stepsOf } from '../packages/image-service/src/engines/workload.ts';
import { keyIn, keyNamedIn, loginTokenIn } from '../packages/image-service/src/http/credentials.ts';
import { graphRejection } from '../packages/image-service/src/http/graph-bounds.ts';
import { routeNotFound, withoutAlias } from '../packages/image-service/src/http/operation.ts';
import { submissionBody } from '../packages/image-service/src/http/submission-body.ts';
import { warnOfUnknown } from '../packages/image-service/src/http/unknown-parameters.ts';
import { validationError } from '../packages/image-service/src/http/validation-error.ts';
import { parseCallerUrl } from '../packages/image-service/src/outbound/caller-url.ts';
import { read } from '../packages/sketch/src/prompt-reading.ts';
import { holdsKey } from '../src/bot/command.ts';
import { isReadOnTheWay } from '../src/credentials/plain-address.ts';
import { excerptPrompts, headline } from '../src/delivery/prompt-text.ts';
import { describeGraph } from '../src/graphs/describe-graph.ts';
import { filledCharacters, fillGraph, placeholdersIn } from '../src/graphs/fill-graph.ts';
import { demandsOf } from '../src/graphs/graph-demands.ts';
import { whereJsonBreaks } from '../src/graphs/json-position.ts';
import { graphName } from '../src/graphs/kept-graphs.ts';
import { parseGraph } from '../src/graphs/parse-graph.ts';
import { compileBlockedWords } from '../src/guilds/blocked-words.ts';
import { BLOCKED_WORDS, guildSettings } from '../src/guilds/guild-settings.ts';
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
import { readTyped } from '../src/requests/typed-options.ts';
import { usageCsv } from '../src/usage/usage-csv.ts';
import { aJob } from './support/job.ts';

const nodesOf = (text: string) => ({ 1: { class_type: 'A', inputs: { text } } });
const bytesOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const VALUES = { prompt: '', negative_prompt: '', seed: 7, width: 64, height: 64 };
const MANY_WORDS = Array.from({ length: BLOCKED_WORDS.most }, (_, nth) => `*a${nth}*s*`);
const SETTINGS = guildSettings.parse({});
const ROW = { day: '2026-11-22', memberId: null, pictures: 1, failed: 0, credits: 0 };

type Readers = Readonly<Record<string, (text: string) => unknown>>;

/** What refuses with an error. */
const refusing = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text);
  } catch {
    return undefined;
  }
};

/** Whatever reads a graph that a member sends, in a file or by its name. */
const OF_GRAPHS: Readers = {
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
};

/** Whatever reads another text that a member sends, or that stands in what they send. */
const OF_MEMBERS: Readers = {
  flags: parseFlags,
  'flags that are written': (text) => formatFlags({ model: text, negative_prompt: text }),
  'words without flags': escapeFlags,
  permutations: (text) => expandPermutations(text, MAX_PICTURES),
  'words without permutations': escapePermutations,
  'a size': (text) => [parseSize(text), readSize(text), likelySize(text, en.sizes)],
  'a size that is typed': (text) => suggestSizes(text, en.sizes),
  'what is searched for': (text) => search(['a castle', text], text, { namesOf: (name) => [name] }),
  'options that are typed': refusing((text) => readTyped({ prompt: text, flags: text, size: text }, en)),
  'a form for a request': (text) =>
    readEditForm({ fields: { prompt: text, flags: text, size: text }, picked: {} }),
  'a form for limits': refusing((text) => withLimits(SETTINGS, 'member', { memberDay: text }, en)),
  'a form for blocked words': refusing((text) => withWords(SETTINGS, { words: text }, en)),
  'blocked words': (text) => [
    compileBlockedWords([text]),
    compileBlockedWords(text.match(/.{1,60}/gsu) ?? []),
  ],
  'a prompt where a word is blocked': (text) => compileBlockedWords(['fox', 'a*b']).findIn({ prompt: text }),
  'a prompt where many words are blocked': (text) => compileBlockedWords(MANY_WORDS).findIn({ prompt: text }),
  'a custom id': (text) => readPageId(text.split(':')),
  'a submission': (text) => submission.safeParse({ prompt: text, model: text }),
  'a key': (text) => [apiKey.safeParse(text), holdsKey(text)],
  'an address': (text) => isReadOnTheWay(`http://${text}`),
  'a text in a log': scrub,
  'a text in an error': redactCredentials,
  'a name': (text) => [foreignText(text, text.length), inCode(text)],
  'a prompt that is shown': verbatim,
  'a prompt under its picture': (text) => {
    const job = aJob({ submission: { prompt: text } });
    return [excerptPrompts(job, [0], en), headline(job, en)];
  },
  'the command that makes it again': (text) => commandLine({ prompt: text, negative_prompt: text }),
  'a message': (text) => [toBody({ content: text }), linkCommands({ content: text }, () => '1')],
  'a table': (text) => usageCsv({ parts: [{ ...ROW, workflow: text }] }),
};

/** Whatever reads a text that a caller of the image service sends. */
const OF_CALLERS: Readers = {
  'a body with words': (text) => submissionBody.safeParse(inEveryField(Object.keys(submission.shape), text)),
  'a body with a graph': (text) => submissionBody.safeParse({ prompt: nodesOf(text) }),
  'unknown parameters': (text) => warnOfUnknown({ [text]: text }),
  'parameters of every operation': (text) =>
    Object.values(OPERATIONS).map(({ query, body }: Operation) =>
      [query, body].map((schema) => schema?.safeParse(inEveryField(PARAMETERS, text))),
    ),
  'what is wrong with a parameter': (text) =>
    validationError([{ keyword: text, instancePath: `/${text}`, params: { expected: text } }], {}),
  'a key of a request': (text) => {
    const head = { query: { api_key: text }, body: { api_key: text, token: text } };
    return [`Bearer ${text}`, `Bearer${text}x`].map((authorization) => {
      const request = { headers: { authorization }, ...head };
      // As far as it is looked at.
      const sent = request as unknown as FastifyRequest;
      return [keyIn(sent), keyNamedIn(sent), loginTokenIn(sent)];
    });
  },
  'where a request goes': (text) =>
    ['/v1/', '/v1/index.php?endpoint=', '/api.php?', '/'].map((path) => {
      const url = `${path}${text}`;
      return [withoutAlias({ url }), refusing(() => routeNotFound({ url, method: 'GET' }))(url)];
    }),
  'an address of a webhook': refusing((text) =>
    parseCallerUrl(`https://${text}`.slice(0, 2_000), { parameter: 'webhook', allowedOrigins: [] }),
  ),
  'a graph that is drawn': (text) => {
    const graph = { 1: { class_type: `${text}Sampler`, inputs: { latent_image: ['1', 0], positive: text } } };
    return [graphRejection(graph), readGraphParameters(graph), pixelsOf(graph), stepsOf(graph)];
  },
  'words for another machine': withoutExtraArguments,
  'words that are sketched': read,
  'what another machine says': (text) => sanitize(text),
};

/** Those that any operation has. */
const PARAMETERS = ['task_id', 'token', 'api_key', 'reveal', 'all', 'wait', 'after', 'from', 'webhook'];
const inEveryField = (fields: readonly string[], text: string) =>
  Object.fromEntries(fields.map((field) => [field, text]));

/** The longest of them: four times as long as measured at first. */
const READERS = [
  { readers: OF_GRAPHS, characters: 8_000 },
  { readers: OF_MEMBERS, characters: 1_000 },
  { readers: OF_CALLERS, characters: 2_500 },
].flatMap(({ readers, characters }) =>
  Object.entries(readers).map(([name, reads]) => [name, reads, characters] as const),
);

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

/** Four times the length takes about four times as long; by its square it would be sixteen times. */
const MOST_GROWTH = 9;
/** Quicker than this, in milliseconds, nothing can be told from noise. */
const LEAST_MS = 4;

test.each(READERS)('%s takes as long as it is', (_, reads, characters) => {
  const textOf = ([before, repeated, between, closing]: Shape, length: number) => {
    const times = length / Math.max(1, repeated.length + closing.length);
    return `${before}${repeated.repeat(times)}${between}${closing.repeat(times)}`;
  };
  fc.assert(
    fc.property(fc.tuple(piece, piece, piece, piece), (shape) => {
      const text = textOf(shape, 4 * characters);
      if (cpuMs(() => reads(text)) < LEAST_MS || cpuMs(() => reads(text)) < LEAST_MS) return;
      const grows = () => growth((length) => void reads(textOf(shape, length)), characters) > MOST_GROWTH;
      expect(grows() && grows()).toBe(false);
    }),
    { numRuns: 60, examples: KNOWN.map((shape): [Shape] => [shape]), endOnFailure: true },
  );
});
