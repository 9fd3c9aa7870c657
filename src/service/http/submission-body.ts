import { z } from 'zod';
import { type Submission, submission } from '../../contract/submission.ts';
import type { RefusalCode } from '../refusal.ts';
import { MAX_TEXT, objectionToGraph } from './graph-bounds.ts';

const NUMBERS: ReadonlySet<string> = new Set(['width', 'height', 'steps', 'seed', 'cfg']);
const MAX_MODEL = 255;

const { shape } = submission;
const [text, graph] = shape.prompt.options;
/** With how many characters a text may have, of which the interface shows no bounds. What is in no list is left out. */
const bounded = z.object({
  ...shape,
  prompt: z.union([text.max(MAX_TEXT), graph]),
  negative_prompt: shape.negative_prompt.unwrap().max(MAX_TEXT).optional(),
  model: shape.model.unwrap().max(MAX_MODEL).optional(),
});

/** A problem with a code of its own, for `refusalOf`. */
const problem = (code: RefusalCode, message: string, field: string) => ({
  code: 'custom' as const,
  path: [field],
  message,
  params: { code },
  input: undefined,
});

/**
 * The body of a submission as callers really write it: numbers as text, `null` for what is absent, parameters that do
 * not exist. What is left is held against the interface's own schema, so that there is one source of limits.
 */
export const submissionBody = z.preprocess(
  (body, context) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const given = Object.entries(body).filter(([, value]) => value !== null);
    const fields = Object.fromEntries(
      given.map(([field, value]) => [field, NUMBERS.has(field) ? asNumber(value) : value]),
    );
    if (isUiGraph(fields.prompt)) {
      context.issues.push(
        problem(
          'workflow_format_ui',
          'This graph is in the format of the ComfyUI editor. Export it for the API instead: Workflow → Export (API).',
          'prompt',
        ),
      );
    }
    return fields;
  },
  bounded.check((context) => {
    const { prompt, workflow } = context.value;
    if (workflow === 'rr3' && typeof prompt !== 'string') {
      context.issues.push(
        problem('graph_not_supported', 'The workflow rr3 takes a text prompt, not a graph.', 'prompt'),
      );
    }
    const objection = typeof prompt === 'string' ? undefined : objectionToGraph(prompt);
    if (objection !== undefined) context.issues.push(problem('graph_not_supported', objection, 'prompt'));
  }),
) satisfies z.ZodType<Submission>;

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;

/** What the editor saves has lists of nodes and links, where the API wants nodes by their id. */
const isUiGraph = (prompt: unknown): boolean =>
  typeof prompt === 'object' && prompt !== null && 'nodes' in prompt && Array.isArray(prompt.nodes);
