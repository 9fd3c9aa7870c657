import { graph, type TaskOperation, WORKFLOWS } from '@darkroom/image-api/contract';
import { z } from 'zod';
import type { Drawing, DrawingParameters, Source } from '../engines/engine.ts';
import { type GraphParameters, readGraphParameters, textOfGraph } from '../engines/graph-parameters.ts';

/** Characters of what is kept of a picture's own drawing: one that was made of others tells of these as well. */
const MAX_PARENT = 32_768;

const parameters = {
  workflow: z.enum(WORKFLOWS),
  prompt: z.union([z.string(), graph]),
  negativePrompt: z.string(),
  width: z.int(),
  height: z.int(),
  steps: z.int(),
  seed: z.int(),
  cfg: z.number(),
  model: z.string().optional(),
  variationOf: z.int().optional(),
  nsfw: z.boolean().optional(),
};

const picture = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  /** A drawing like the whole, which is checked likewise. */
  get drawing(): z.ZodOptional<z.ZodType<DrawingParameters>> {
    return storedParameters.optional();
  },
});
const pixels = z.int();
const source: z.ZodType<Source> = z.discriminatedUnion('operation', [
  z.object({
    operation: z.literal('edit'),
    images: z.array(picture),
    mask: picture.optional(),
    strength: z.number(),
  }),
  z.object({
    operation: z.literal('upscale'),
    image: picture,
    scale: z.union([z.literal(2), z.literal(4)]),
  }),
  z.object({
    operation: z.literal('expand'),
    image: picture,
    margins: z.object({ left: pixels, top: pixels, right: pixels, bottom: pixels }),
  }),
  z.object({ operation: z.literal('remove_background'), image: picture }),
]);
const storedParameters: z.ZodType<DrawingParameters> = z
  .object({ ...parameters, source: source.optional() })
  .transform((drawing) => ({ ...drawing, model: drawing.model, variationOf: drawing.variationOf }));

/** What of a drawing only its task knows: the names of the pictures that it begins with. */
const storedNames = z.object({ madeFrom: z.array(z.string()).optional() });

/**
 * A drawing as it is stored in its task's row, as JSON. `madeFrom`: the names of the pictures that it begins with.
 */
export const writeDrawing = (drawing: DrawingParameters, madeFrom?: readonly string[]): string =>
  JSON.stringify(madeFrom ? { ...drawing, madeFrom } : drawing);

/** What stands in each stored drawing that begins with the picture of that file, or with one that did. */
export const pictureIn = (file: string): string => `"file":${JSON.stringify(file)}`;

/** Throws where the text is not a stored drawing: another version may have written the row. */
export const readDrawing = (taskId: string, text: string): Drawing => ({
  ...storedParameters.parse(JSON.parse(text)),
  taskId,
});

/** Undefined where the text is not a stored drawing. */
function readParameters(text: string): DrawingParameters | undefined {
  try {
    return storedParameters.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What a picture was drawn from, for what is made of it; undefined where that is long, or cannot be read. */
export const parentDrawing = (text: string): DrawingParameters | undefined =>
  text.length > MAX_PARENT ? undefined : readParameters(text);

/** What a drawing was asked for, as people remember it. Sizes in pixels. */
export type DrawingRequest = {
  [Part in keyof Pick<GraphParameters, 'prompt' | 'width' | 'height' | 'steps'>]?:
    | GraphParameters[Part]
    | undefined;
} & { operation?: TaskOperation; madeFrom?: string[] | undefined };

/** Of a graph, only what stands in it; nothing of a drawing that cannot be read. */
export function readRequest(text: string): DrawingRequest {
  const drawing = readParameters(text);
  if (!drawing) return {};
  const { prompt, source, ...given } = drawing;
  const words = typeof prompt === 'string' ? prompt : textOfGraph(prompt);
  const { width, height, steps } = typeof prompt === 'string' ? given : readGraphParameters(prompt);
  const { madeFrom } = storedNames.parse(JSON.parse(text));
  return { prompt: words, width, height, steps, operation: source?.operation ?? 'generate', madeFrom };
}
