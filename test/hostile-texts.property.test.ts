import {
  apiKey,
  OPERATIONS,
  type Operation,
  readRetryAfter,
  redactCredentials,
  submission,
} from '@darkroom/image-api';
import { growsTooFast } from '@darkroom/testing';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { commandLine } from '../commands/imagine/details.ts';
import { readEditForm } from '../commands/imagine/edit-form.ts';
import { readPageId } from '../commands/jobs/listing.ts';
import { readLimits, readWords, typedLimits } from '../commands/settings/forms.ts';
import { parsePictureUrl } from '../packages/image-api/src/client/picture-fetch.ts';
import { readResponse } from '../packages/image-api/src/client/response.ts';
import { CallFailed } from '../packages/image-service/src/engines/call-failed.ts';
import { readEvent } from '../packages/image-service/src/engines/comfyui/events.ts';
import {
  explainExecutionError,
  explainNodeErrors,
} from '../packages/image-service/src/engines/comfyui/explain.ts';
import { withoutExtraArguments } from '../packages/image-service/src/engines/extra-arguments.ts';
import { readGraphParameters } from '../packages/image-service/src/engines/graph-parameters.ts';
import { pixelsOf } from '../packages/image-service/src/engines/graph-pixels.ts';
import { explainRefusal as explainHorde } from '../packages/image-service/src/engines/horde/explain.ts';
import { modelsFor } from '../packages/image-service/src/engines/horde/models.ts';
import { readFailure } from '../packages/image-service/src/engines/hosted/failure.ts';
import { findModel } from '../packages/image-service/src/engines/servers/required-model.ts';
import { sanitize } from '../packages/image-service/src/engines/servers/sanitize.ts';
import { explainRefusal as explainWebui } from '../packages/image-service/src/engines/webui/explain.ts';
import { stepsOf } from '../packages/image-service/src/engines/workload.ts';
import { keyIn, keyNamedIn, loginTokenIn } from '../packages/image-service/src/http/credentials.ts';
import { boundsRejection } from '../packages/image-service/src/http/graph-bounds.ts';
import { routeNotFound, withoutAlias } from '../packages/image-service/src/http/operation.ts';
import { submissionBody } from '../packages/image-service/src/http/submission-body.ts';
import { warnOfUnknown } from '../packages/image-service/src/http/unknown-parameters.ts';
import { validationError } from '../packages/image-service/src/http/validation-error.ts';
import { parseCallerUrl } from '../packages/image-service/src/outbound/caller-url.ts';
import { read } from '../packages/sketch/src/prompt-reading.ts';
import { holdsKey, holdsSecret } from '../src/bot/command.ts';
import { isReadOnTheWay } from '../src/credentials/plain-address.ts';
import { explainFailure } from '../src/delivery/explain-failure.ts';
import { excerptPrompts, headline } from '../src/delivery/prompt-text.ts';
import { tokenProblem } from '../src/discord-token.ts';
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
import { MAX_PICTURES } from '../src/requests/imagine-options.ts';
import { matching } from '../src/requests/matching.ts';
import { escapePermutations, expandPermutations } from '../src/requests/permutations.ts';
import { likelySize, readSize, suggestSizes } from '../src/requests/sizes.ts';
import { readTyped } from '../src/requests/typed-options.ts';
import { withSettings } from '../src/setup/env-file.ts';
import { usageCsv } from '../src/usage/usage-csv.ts';
import { aJob } from './support/job.ts';

const nodesOf = (text: string) => ({ 1: { class_type: 'A', inputs: { text } } });
const bytesOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const VALUES = { prompt: '', negative_prompt: '', seed: 7, width: 64, height: 64 };
const MANY_WORDS = Array.from({ length: BLOCKED_WORDS.most }, (_, nth) => `*a${nth}*s*`);
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
  'what is searched for': (text) => matching(['a castle', text], text, { namesOf: (name) => [name] }),
  'options that are typed': refusing((text) => readTyped({ prompt: text, flags: text, size: text }, en)),
  'a form for a request': (text) =>
    readEditForm({
      options: { fields: { prompt: text, flags: text, size: text }, picked: {} },
      context: { offers: { of: () => [] } },
    }),
  'a form for limits': refusing((text) =>
    readLimits('member', { typed: typedLimits('member', { memberDay: text }), shown: undefined }, en),
  ),
  'a form for blocked words': refusing((text) => readWords(text, en)),
  'blocked words': (text) => [
    compileBlockedWords([text]),
    compileBlockedWords(text.match(/.{1,60}/gsu) ?? []),
  ],
  'a prompt where a word is blocked': (text) => compileBlockedWords(['fox', 'a*b']).findIn({ prompt: text }),
  'a prompt where many words are blocked': (text) => compileBlockedWords(MANY_WORDS).findIn({ prompt: text }),
  'a custom id': (text) => readPageId(text.split(':')),
  'a submission': (text) => submission.safeParse({ prompt: text, model: text }),
  'a key': (text) => [apiKey.safeParse(text), holdsKey(text), holdsSecret(text)],
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
    return [boundsRejection(graph), readGraphParameters(graph), pixelsOf(graph), stepsOf(graph)];
  },
  'a picture that is named': (text) =>
    ['', 'upload:', 'task:', 'https://a.example/', 'data:image/png;base64,'].map((kind) => {
      const name = `${kind}${text}`;
      return submissionBody.safeParse({ operation: 'edit', prompt: 'a', image: [name, name], mask: name });
    }),
  'words for another machine': withoutExtraArguments,
  'words that are sketched': read,
};

/** Whatever reads what an image service answers, or another machine that draws for ours. */
const OF_MACHINES: Readers = {
  'an answer': (text) => {
    const lists = { warnings: piecesOf(text), not_drawn: piecesOf(text), error: { [text]: text } };
    const result = { image_url: text, images: piecesOf(text) };
    const data = { ...inEveryField(TOLD, text), ...lists, result };
    return [OPERATIONS.status, OPERATIONS.submit, OPERATIONS.dryRun, OPERATIONS.balance].map(({ answer }) =>
      readAnswer(answer.read, 200, { success: true, data }),
    );
  },
  'what is offered': (text) => {
    const operations = { edit: { images: text, [text]: text }, [text]: { cost: text } };
    const workflow = {
      name: 'a',
      sent_to: text,
      models: piecesOf(text),
      effects: piecesOf(text),
      operations,
    };
    const data = { workflows: [{ ...workflow, name: text }, workflow, ...piecesOf(text)] };
    return readAnswer(OPERATIONS.capabilities.answer.read, 200, { success: true, data });
  },
  'what stands in place of an answer': (text) => readAnswer(OPERATIONS.status.answer.read, 502, text),
  'why something is refused': (text) =>
    [text, { code: text, message: text }, { type: text, detail: text }, [{ message: text }]].map((error) =>
      readAnswer(OPERATIONS.status.answer.read, 400, { success: false, data: null, error, message: text }),
    ),
  'when to ask again': (text) => readRetryAfter(text, 0),
  'the address of a picture': refusing((text) => parsePictureUrl(text, new URL('http://a.example'))),
  'why there is no picture': (text) =>
    explainFailure({ failure: { kind: 'task-failed', reason: text }, payer: { kind: 'member' } }, en),
  'models to choose from': (text) =>
    matching(piecesOf(text), text.slice(0, 100), { namesOf: (name) => [name] }),
  'what another machine says': (text) => sanitize(text),
  'why another machine refuses': (text) =>
    [
      { error: text, detail: [{ msg: text }] },
      { message: text, rc: text },
    ].map((body) => {
      const error = new CallFailed('', { status: 400, body });
      return [explainWebui(error), explainHorde(error)];
    }),
  'why a provider refuses': (text) => {
    const words = JSON.stringify({ error: { message: text } });
    const refusal = { status: 400, retryAfter: text, date: text, text: words };
    const exchange = { fetch, standing: () => 'refused' as const, refusal: () => refusal };
    return readFailure(new Error(text), exchange, { title: 'A', secrets: ['sk-secret'], now: 0 });
  },
  'why a graph fails': (text) => {
    const errors = { errors: [{ type: text, message: text, details: text }] };
    const graph = nodesOf('');
    return [
      explainNodeErrors(graph, { 1: errors, [text]: errors }),
      explainExecutionError(graph, { node_id: text, exception_message: text }),
    ];
  },
  'how far a graph is': (text) => {
    const nodes = { [text]: { value: 1, max: 2, state: text } };
    return readEvent(JSON.stringify({ type: 'progress_state', data: { prompt_id: text, nodes } }));
  },
  'models of another machine': (text) => [
    findModel([text, ...piecesOf(text)], { folder: 'a', name: 'model' }),
    modelsFor('default', [text, ...piecesOf(text)], { width: 64, height: 64 }),
  ],
};

/** What whoever runs Darkroom has in files, and copies from elsewhere. */
const OF_OPERATORS: Readers = {
  'a file of settings': refusing((text) => withSettings(text, { NAME: 'a' })),
  'a token of Discord': tokenProblem,
};

/** Those that any operation has. */
const PARAMETERS = ['task_id', 'token', 'api_key', 'reveal', 'all', 'wait', 'after', 'from', 'webhook'];
/** Those that answers have. */
const TOLD = [
  ...['id', 'state', 'status', 'progress', 'image_url', 'flagged', 'created_at', 'queue_position', 'cost'],
  ...['preview_url', 'seed', 'expires_at', 'reference', 'message', 'balance', 'username'],
];
const inEveryField = (fields: readonly string[], value: unknown) =>
  Object.fromEntries(fields.map((field) => [field, value]));
const piecesOf = (text: string): string[] => text.match(/.{1,20}/gsu) ?? [];

function readAnswer(reader: z.ZodType, status: number, answer: unknown): unknown {
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const context = { what: 'GET /', secrets: ['sk-secret'], carriesContent: true, now: 0 };
  return refusing(() => readResponse({ status, headers: {}, body }, reader, context))('');
}

/** The longest of them: four times as long as measured at first. */
const READERS = [
  { readers: OF_GRAPHS, characters: 8_000 },
  { readers: OF_MEMBERS, characters: 1_000 },
  { readers: OF_CALLERS, characters: 2_500 },
  { readers: OF_MACHINES, characters: 1_000 },
  { readers: OF_OPERATORS, characters: 8_000 },
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
  ['', 'a', '/', ''],
  ['', 'A=\'\nB="\n', '', ''],
  ['', '\\', 'u', ''],
  ['', '\\u005c', 'u0066', ''],
];

test.each(READERS)('%s takes as long as it is', (_, reads, characters) => {
  const textOf = ([before, repeated, between, closing]: Shape, length: number) => {
    const times = length / Math.max(1, repeated.length + closing.length);
    return `${before}${repeated.repeat(times)}${between}${closing.repeat(times)}`;
  };
  fc.assert(
    fc.property(fc.tuple(piece, piece, piece, piece), (shape) => {
      expect(growsTooFast((length) => void reads(textOf(shape, length)), characters)).toBe(false);
    }),
    { numRuns: 60, examples: KNOWN.map((shape): [Shape] => [shape]), endOnFailure: true },
  );
});
