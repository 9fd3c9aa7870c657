import { graph, WORKFLOWS } from '@darkroom/image-api';
import { z } from 'zod';
import type { Drawing, DrawingParameters } from '../engines/engine.ts';
import { type GraphParameters, readGraphParameters, textOfGraph } from '../engines/graph-parameters.ts';

/** A drawing as it is stored in its task's row. Validated when read, as an earlier version may have written the row. */
const storedDrawing = z.object({
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
});

/** As JSON, without the id of the task. */
export const writeDrawing = (drawing: DrawingParameters): string => JSON.stringify(drawing);

/** Throws where the text is not a stored drawing. */
export function readDrawing(taskId: string, text: string): Drawing {
  const drawing = storedDrawing.parse(JSON.parse(text));
  return { ...drawing, taskId, model: drawing.model, variationOf: drawing.variationOf };
}

/** What a drawing was asked for, as people remember it. Sizes in pixels. */
export type DrawingRequest = {
  [Part in keyof Pick<GraphParameters, 'prompt' | 'width' | 'height' | 'steps'>]?:
    | GraphParameters[Part]
    | undefined;
};

/** Of a graph, only what stands in it. */
export function readRequest(taskId: string, text: string): DrawingRequest {
  const { prompt, ...given } = readDrawing(taskId, text);
  const words = typeof prompt === 'string' ? prompt : textOfGraph(prompt);
  const { width, height, steps } = typeof prompt === 'string' ? given : readGraphParameters(prompt);
  return { prompt: words, width, height, steps };
}
