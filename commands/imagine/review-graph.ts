import { ServiceError, type Submission } from '@darkroom/image-api';
import type { ErrorCode } from '@darkroom/image-api/contract';
import { withTimeout } from '@darkroom/time';
import { noKey } from '../../src/bot/key-errors.ts';
import { readGraphFile } from '../../src/bot/read-graph-file.ts';
import { hasSeed, ownSeed } from '../../src/graphs/fill-graph.ts';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import type { AttachedFile } from '../../src/jobs/input.ts';
import type { Parent } from '../../src/jobs/job.ts';
import { taskSubmission } from '../../src/jobs/task-submission.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { graphLines } from '../../src/messages/graph-texts.ts';
import { type Message, truncate } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { isOfSubmission } from '../../src/requests/prices.ts';
import { readTyped } from '../../src/requests/typed-options.ts';
import type { Invocation } from './invocation.ts';
import { keepTyped, orKeep } from './keep-typed.ts';
import { confirmRows } from './question.ts';
import { resolveRequest } from './resolve-request.ts';
import { checkPlace, readRules } from './rules.ts';

/** How long the service may take to say what it would do, in real milliseconds. */
const DRY_RUN_MS = 5_000;
/** Characters of a sentence of the service, so that the price below it fits. */
const WARNING = 200;
const MOST_WARNINGS = 2;
const REASON = 400;

/** A service that knows no dry runs may say so of the whole call. */
const OF_CALL: ReadonlySet<string | undefined> = new Set([
  'invalid_request',
  'operation_not_supported',
] satisfies ErrorCode[]);

/** What was typed, with the graph of this name. Where the server keeps none, it is refused, and kept with the name. */
export async function withKeptGraph(
  invocation: Invocation,
  typed: ImagineOptions,
  graphName: string | undefined,
): Promise<ImagineOptions> {
  if (graphName === undefined) return typed;
  const { caller, texts, context } = invocation;
  return orKeep(invocation, typed, { graphName }, async () => {
    const { guildId } = caller;
    const graph = guildId === null ? undefined : await context.guilds.keptGraphs.find(guildId, graphName);
    if (!graph) throw new UserError(texts.graph.notKept(foreignText(graphName)));
    return { ...typed, graph };
  });
}

/** Shows the graph in a file before anything of it is sent. `graphName` names another beside it: two are refused. */
export async function reviewFile(
  invocation: Invocation,
  typed: ImagineOptions,
  file: AttachedFile,
  graphName?: string,
): Promise<Message> {
  // Whose file nobody would draw is not read.
  const rules = await readRules(invocation);
  const graph = await orKeep(invocation, typed, { lacksGraph: true }, async () => {
    if (graphName !== undefined) throw new UserError(invocation.texts.graph.twice);
    checkPlace(invocation, rules);
    if (!rules.credential) throw noKey(invocation, rules);
    return { ...(await readGraphFile(file, invocation)), attached: true as const };
  });
  return reviewGraph(invocation, { ...typed, graph, ...firstSeed(invocation, typed, graph) }, graph);
}

/**
 * What a graph holds, and what it would cost, with buttons that make it, change the words, or leave it. Of what draws
 * another version of a picture, which may be somebody else's, only how large it is.
 */
export async function reviewGraph(
  invocation: Invocation,
  typed: ImagineOptions,
  graph: NamedGraph,
  { parent }: { parent?: Parent | undefined } = {},
): Promise<Message> {
  const { caller, texts } = invocation;
  const rules = await readRules(invocation);
  const { submission, count, description } = await orKeep(invocation, typed, { parent }, async () => {
    checkPlace(invocation, rules);
    return resolveRequest(invocation, typed, rules, { exact: parent !== undefined });
  });
  const { seed = 0 } = submission;
  const apiKey = rules.credential?.apiKey;
  const [opinion, isKept] = await Promise.all([
    apiKey === undefined
      ? undefined
      : askService(invocation, taskSubmission({ submission, graph }, { seed }), count, apiKey),
    keepTyped(invocation, typed, { parent }),
  ]);
  if (!isKept) throw new UserError(texts.confirm.notKept);
  return {
    content: [
      ...(description ? graphLines(graph.name, description, texts).slice(0, parent ? 1 : undefined) : []),
      ...(graph.uses.includes('prompt') ? [] : [texts.graph.promptUnused]),
      ...(hasSeed(graph) || count === 1 ? [] : [texts.graph.noSeed]),
      ...(opinion?.lines ?? []),
    ].join('\n'),
    rows: confirmRows(caller.interaction.id, texts, { mayMake: opinion?.refused !== true }),
  };
}

/** The first picture is the one that the graph was saved with, unless a seed was typed. */
function firstSeed(
  { texts }: Invocation,
  typed: ImagineOptions,
  graph: NamedGraph,
): Pick<ImagineOptions, 'seed'> {
  const seed = graph.uses.includes('seed') ? undefined : ownSeed(graph.nodes);
  return seed === undefined || readTyped(typed, texts).options.seed !== undefined ? {} : { seed };
}

/** What the service says to a graph; undefined where it does not say. */
async function askService(
  { texts: { graph: texts }, context }: Invocation,
  submission: Submission,
  count: number,
  apiKey: string,
) {
  try {
    const { cost, warnings } = await withTimeout(DRY_RUN_MS, (signal) =>
      context.keys.images.dryRun(submission, { apiKey, signal }),
    );
    return {
      refused: false,
      lines: [
        ...warnings.slice(0, MOST_WARNINGS).map((warning) => texts.warning(sentence(warning, WARNING))),
        ...(cost === undefined ? [] : [texts.price(cost * count, count)]),
      ],
    };
  } catch (error) {
    if (error instanceof ServiceError && isOfSubmission(error) && !OF_CALL.has(error.code)) {
      const { reason } = error;
      const said = reason === undefined ? undefined : sentence(reason, REASON);
      return { refused: true, lines: [texts.refused(said)] };
    }
    context.log.info({ err: error }, 'the image service did not say what a graph would cost');
    return undefined;
  }
}

const sentence = (said: string, characters: number): string =>
  truncate(foreignText(said, characters), characters);
