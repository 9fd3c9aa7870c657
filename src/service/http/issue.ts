import { WORKFLOWS } from '../../contract/limits.ts';
import { REFUSALS, Refusal, type RefusalCode } from '../refusal.ts';

/** What the validation of a request says: a zod issue in Fastify's words. */
export interface ValidationIssue {
  keyword: string;
  instancePath: string;
  message?: string | undefined;
  params: Record<string, unknown>;
}

/** The refusal that explains the first thing that is wrong with a request. */
export function refusalOf([issue]: readonly ValidationIssue[], request: unknown): Refusal {
  if (!issue) return new Refusal('invalid_request', 'The request cannot be understood.');
  const [field = ''] = issue.instancePath.slice(1).split('/');
  const received = typeof request === 'object' && request !== null ? Reflect.get(request, field) : undefined;
  const details = { ...(field && { field }), ...(isShown(received) && { received }) };

  const own = ownCode(issue);
  if (own) return new Refusal(own, issue.message ?? own, { details });
  if (field === 'prompt' && (received == null || (typeof received === 'string' && received.trim() === ''))) {
    return new Refusal('missing_prompt', 'A submission needs a prompt: text, or a complete node graph.', {
      details: { field },
    });
  }
  if (field === 'workflow') {
    return new Refusal(
      'unknown_workflow',
      `There is no such workflow. workflow must be one of ${WORKFLOWS.join(', ')}.`,
      {
        details: { ...details, allowed: WORKFLOWS },
      },
    );
  }
  const { maximum: max, minimum: min, origin } = issue.params;
  if ((origin === 'int' || origin === 'number') && (max ?? min) !== undefined) {
    const bound = max === undefined ? { min } : { max };
    const words = max === undefined ? `at least ${min}` : `at most ${max}`;
    return new Refusal('parameter_out_of_range', `${field} must be ${words}.`, {
      details: { ...details, ...bound },
    });
  }
  return new Refusal('invalid_request', wordsFor(issue, field), { details });
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function wordsFor({ message, params }: ValidationIssue, field: string): string {
  if (!field) return 'The body must be a JSON object.';
  if (field === 'prompt') {
    return "prompt must be text, or a graph in ComfyUI's API format: nodes by id, each with class_type and inputs.";
  }
  const type = TYPES[String(params.expected)];
  return type ? `${field} must be ${type}.` : `${field}: ${message}`;
}

/** What is sent back of what was received: no long texts and no structures. */
const isShown = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 100);

function ownCode({ params }: ValidationIssue): RefusalCode | undefined {
  const inner = params.params;
  const code = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'code') : undefined;
  // Checked against the table of all codes.
  return typeof code === 'string' && code in REFUSALS ? (code as RefusalCode) : undefined;
}
