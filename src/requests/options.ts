import { z } from 'zod';
import { namedGraph } from '../graphs/named-graph.ts';

/** How many pictures one request may make. */
export const MAX_PICTURES = 4;

/** Of the 6000 characters that an option may have, as many as a form can show again. */
export const PROMPT_CHARACTERS = 4_000;

/** What a member asks for, as they typed it: nothing of it is checked yet, and what is left out is not decided. */
export const imagineOptions = z.object({
  /** With its flags and permutations. */
  prompt: z.string(),
  negative_prompt: z.string().optional(),
  /** A preset, a ratio or pixels. */
  size: z.string().optional(),
  workflow: z.string().optional(),
  steps: z.number().optional(),
  seed: z.number().optional(),
  cfg: z.number().optional(),
  model: z.string().optional(),
  count: z.number().optional(),
  private: z.boolean().optional(),
  spoiler: z.boolean().optional(),
  /** Further options as flags: what was typed under *More options*. */
  flags: z.string().optional(),
  /** What is drawn in place of the words, which are filled into it. */
  graph: namedGraph.optional(),
});
export type ImagineOptions = z.output<typeof imagineOptions>;

const snowflake = z.string().regex(/^\d{17,20}$/);

/** The job that another one was made from. */
export const parent = z.object({
  jobId: snowflake,
  /** Which of its tasks, where that matters. */
  task: z.int().optional(),
  /** Where it stands; left out where not everybody can see it. */
  message: z.object({ channelId: snowflake, messageId: snowflake }).optional(),
});
export type Parent = z.output<typeof parent>;
