import { z } from 'zod';
import { graph } from '../../contract/graph.ts';
import { WORKFLOWS } from '../../contract/limits.ts';
import type { Drawing } from '../engines/engine.ts';

/** A drawing as the row of its task keeps it. Checked when it is read, because rows outlive the code that wrote them. */
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
});

/** As JSON, without the task's id, which is the row's own. */
export const writeDrawing = (drawing: Omit<Drawing, 'taskId'>): string => JSON.stringify(drawing);

/** Throws where the text does not fit. */
export function readDrawing(taskId: string, text: string): Drawing {
  const drawing = storedDrawing.parse(JSON.parse(text));
  return { ...drawing, taskId, model: drawing.model };
}
