import { z } from 'zod';
import { namedGraph } from '../graphs/named-graph.ts';
import { input } from '../jobs/input.ts';
import { PICTURE_OPERATIONS } from './offers.ts';

export const MAX_PICTURES = 4;

/** Of the 6000 characters that an option may have, as many as a form can show again. */
export const PROMPT_CHARACTERS = 4_000;

const margin = z.int().min(0).optional();

const source = z.object({
  operation: z.enum(PICTURE_OPERATIONS),
  input,
  scale: z.union([z.literal(2), z.literal(4)]).optional(),
  /** How much is added on each side, in pixels. */
  expand: z.object({ left: margin, top: margin, right: margin, bottom: margin }).optional(),
});
export type Source = z.output<typeof source>;

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
  /** The seed of a picture whose composition stays: of *Vary*, where the service can. */
  variation_of: z.number().optional(),
  model: z.string().optional(),
  /** How much of a picture changes, 0 to 1: 1 is the most. */
  strength: z.number().optional(),
  count: z.number().optional(),
  private: z.boolean().optional(),
  spoiler: z.boolean().optional(),
  /** Further options as flags: what was typed under *More options*. */
  flags: z.string().optional(),
  /** What is drawn in place of the words, which are filled into it. */
  graph: namedGraph.optional(),
  /** The picture that it begins with, and what is made of it. */
  source: source.optional(),
});
export type ImagineOptions = z.output<typeof imagineOptions>;
