import { z } from 'zod';
import { type Submission, submission } from '../../contract/submission.ts';
import type { RefusalCode } from '../refusal.ts';
import { MAX_TEXT, objectionToGraph } from './graph-bounds.ts';

const NUMBERS: ReadonlySet<string> = new Set(['width', 'height', 'steps', 'seed', 'cfg']);
const FIELDS = Object.keys(submission.shape);

/** How many characters a text may have. The interface shows no bounds. */
const MAX_LENGTHS = [
  ['prompt', MAX_TEXT],
  ['negative_prompt', MAX_TEXT],
  ['model', 255],
] as const;

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
    const given = Object.entries(body).filter(([field, value]) => FIELDS.includes(field) && value !== null);
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
  submission.check((context) => {
    const { prompt, workflow } = context.value;
    if (workflow === 'rr3' && typeof prompt !== 'string') {
      context.issues.push(
        problem('graph_not_supported', 'The workflow rr3 takes a text prompt, not a graph.', 'prompt'),
      );
    }
    for (const [field, max] of MAX_LENGTHS) {
      const text = context.value[field];
      if (typeof text === 'string' && text.length > max) {
        context.issues.push(
          problem('parameter_out_of_range', `${field} may have at most ${max} characters.`, field),
        );
      }
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
