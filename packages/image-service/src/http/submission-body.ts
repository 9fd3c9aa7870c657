import {
  type ErrorCode,
  OPERATIONS_BY_PROMPT,
  type Submission,
  submission,
  TASK_OPERATIONS,
} from '@darkroom/image-api/contract';
import { z } from 'zod';
import { boundsRejection, MAX_TEXT } from './graph-bounds.ts';

const NUMBERS: ReadonlySet<string> = new Set([
  'width',
  'height',
  'steps',
  'seed',
  'cfg',
  'variation_of',
  'strength',
  'scale',
]);
/** Characters of the name of a model or a workflow. */
const MAX_NAME = 255;

const { shape } = submission;
const [text, graph] = shape.prompt.options;
/** The contract's schema with bounds for texts, of which the interface shows none. Unknown parameters are dropped. */
const bounded = submission.strip().safeExtend({
  prompt: z.union([text.max(MAX_TEXT), graph]),
  // Which ones there are is the service's to say.
  workflow: z.string().max(MAX_NAME).optional(),
  negative_prompt: shape.negative_prompt.unwrap().max(MAX_TEXT).optional(),
  model: shape.model.unwrap().max(MAX_NAME).optional(),
});

/** An issue with an error code of its own, which `validationError` uses. */
const issue = (code: ErrorCode, message: string, field: string) => ({
  code: 'custom' as const,
  path: [field],
  message,
  params: { code },
  input: undefined,
});

/**
 * The body of a submission, read more loosely than the contract writes it: numbers may be text, `null` counts as
 * absent and unknown parameters are dropped. The rest is checked by the contract's own schema, so that the limits are
 * written once.
 */
export const submissionBody = z.preprocess(
  (body, context) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const given = Object.entries(body).filter(([, value]) => value !== null);
    const fields = Object.fromEntries(
      given.map(([field, value]) => [field, NUMBERS.has(field) ? asNumber(value) : value]),
    );
    const { prompt, operation } = fields;
    if (prompt === undefined && isWordless(operation)) return { ...fields, prompt: '' };
    if (typeof prompt !== 'object' || prompt === null) return fields;
    if (isUiGraph(prompt)) {
      context.issues.push(
        issue(
          'workflow_format_ui',
          'This graph is in the format of the ComfyUI editor. Export it for the API instead: Workflow → Export (API).',
          'prompt',
        ),
      );
    }
    // Before its nodes are looked at one by one.
    const rejection = boundsRejection(prompt);
    if (rejection !== undefined) context.issues.push(issue('graph_not_supported', rejection, 'prompt'));
    return fields;
  },
  bounded.meta({ id: 'Submission' }),
) satisfies z.ZodType<Submission>;

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;

/** Whether an operation does without a prompt, which may then be left out. */
const isWordless = (operation: unknown): boolean =>
  TASK_OPERATIONS.some((known) => known === operation && !OPERATIONS_BY_PROMPT.has(known));

/** What the editor saves has lists of nodes and links, where the API wants nodes by their id. */
const isUiGraph = (prompt: object): boolean => 'nodes' in prompt && Array.isArray(prompt.nodes);
