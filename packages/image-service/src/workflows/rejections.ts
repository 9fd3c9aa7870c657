import type { Submission } from '@darkroom/image-api';
import { isDrawnFromWords } from '../engines/drawn-from-words.ts';
import type {
  OperationOfPictures,
  Operations,
  Rejection,
  RequestedDrawing,
  Source,
  Unavailable,
} from '../engines/engine.ts';
import { sizeOfResult } from '../inputs/source-of.ts';
import type { Expenses } from '../ledger/expenses.ts';
import type { OfferedWorkflow, Workflows } from './workflows.ts';

type PictureOperation = keyof Operations;

const WORDS: Readonly<Record<PictureOperation | 'generate', string>> = {
  generate: 'draw from words alone',
  edit: 'edit pictures',
  upscale: 'upscale pictures',
  expand: 'expand pictures',
  remove_background: 'remove backgrounds',
};

/** What a workflow makes of pictures, as is known now; nothing where its engine does not say, or cannot. */
export const operationsOf = async ({ engine, like, defaults }: OfferedWorkflow): Promise<Operations> =>
  (await engine.operations?.(like, defaults.model).catch(() => undefined)) ?? {};

/** Why what was found is not what the operation takes. */
function problemWith(
  source: Source,
  { images = 1, mask = false, ownOnly = false }: AnyOperation,
  { name, engine, abilities }: OfferedWorkflow,
): Rejection | undefined {
  if (source.operation === 'edit') {
    if (source.images.length > images)
      return {
        field: 'image',
        reason: `The workflow ${name} takes at most ${images} ${images === 1 ? 'picture' : 'pictures'}: leave the others out.`,
      };
    if (source.mask && !mask)
      return { field: 'mask', reason: `The workflow ${name} takes no mask: leave it out.` };
    return undefined;
  }
  const { width, height } = sizeOfResult(source);
  if (source.operation === 'expand' && width * height > abilities.maxPixels)
    return {
      field: 'expand',
      reason: `The result would have ${width} × ${height} pixels, and the workflow ${name} draws at most ${abilities.maxPixels} in all: expand it by less.`,
    };
  if (!ownOnly || isDrawnFromWords(source.image)) return undefined;
  return {
    field: 'image',
    reason: `The workflow ${name} does this with pictures that ${engine.name} has drawn, named as task:ID, and with no others.`,
  };
}

/** The parts of all operations together. */
interface AnyOperation extends OperationOfPictures {
  images?: number;
  mask?: boolean;
}

export type Rejections = ReturnType<typeof createRejections>;

/** Why something would not be drawn, before it costs anything; undefined where it may be. */
export function createRejections({
  workflows,
  expenses,
}: {
  workflows: Pick<Workflows, 'all' | 'get'>;
  expenses: Pick<Expenses, 'noRoomFor'>;
}) {
  /** As far as its engine and the operator's budget are concerned. */
  const ofEngine = async (
    { engine, like, defaults, pictureCost }: OfferedWorkflow,
    { prompt, model, source }: Omit<RequestedDrawing, 'workflow'>,
  ): Promise<Rejection | Unavailable | undefined> => {
    const drawing = { prompt, workflow: like, model: model ?? defaults.model, ...(source && { source }) };
    const isBeside = await engine.isBeside?.(drawing).catch(() => false);
    const noRoom = pictureCost && !isBeside ? await expenses.noRoomFor(pictureCost) : undefined;
    return noRoom ?? engine.rejection?.(drawing);
  };

  async function notOffered(
    operation: PictureOperation | 'generate',
    { name }: OfferedWorkflow,
  ): Promise<Rejection> {
    const does = async (workflow: OfferedWorkflow) =>
      operation === 'generate'
        ? workflow.abilities.fromWords
        : (await operationsOf(workflow))[operation] !== undefined;
    const offers = await Promise.all(workflows.all.map(does));
    const allowed = workflows.all.flatMap(({ name }, at) => (offers[at] ? [name] : []));
    const others = allowed.length > 0 ? `those that do are ${allowed.join(', ')}` : 'no workflow here does';
    return {
      field: 'operation',
      reason: `The workflow ${name} does not ${WORDS[operation]}: ${others}.`,
      allowed,
    };
  }

  return {
    ofEngine,

    /** `source`: what it begins with, once that is found. Rejects with an API error for an unknown workflow. */
    async ofSubmission(
      { prompt, workflow: named = 'default', model, operation = 'generate' }: Submission,
      source?: Source,
    ): Promise<Rejection | Unavailable | undefined> {
      const workflow = workflows.get(named);
      const { name, graphs, effects } = workflow;
      const request = { prompt, model: effects.includes('model') ? model : undefined, source };
      if (typeof prompt !== 'string' && !graphs)
        return { field: 'prompt', reason: `The workflow ${name} takes a text prompt, not a graph.` };
      if (operation === 'generate' && !workflow.abilities.fromWords) return notOffered(operation, workflow);
      if (operation !== 'generate') {
        const offer = (await operationsOf(workflow))[operation];
        if (!offer) {
          // One that is unavailable does not know.
          const found = await ofEngine(workflow, request);
          return found && 'retryAfterMs' in found ? found : notOffered(operation, workflow);
        }
        const problem = source && problemWith(source, offer, workflow);
        if (problem) return problem;
      }
      // Whether its engine is needed depends on the picture.
      if (operation === 'upscale' && !source) return undefined;
      return ofEngine(workflow, request);
    },

    /** What whoever asks for it is to be told, though it will be drawn. */
    async warningFor(
      { workflow: named = 'default', strength, prompt }: Submission,
      source: Source,
    ): Promise<string | undefined> {
      const workflow = workflows.get(named);
      const offers = await operationsOf(workflow);
      if (source.operation !== 'edit') return offers[source.operation]?.warning?.(source.image, prompt);
      return strength !== undefined && offers.edit?.strength === false
        ? `strength has no effect in the workflow ${workflow.name}`
        : undefined;
    },
  };
}
