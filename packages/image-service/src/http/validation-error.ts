import { ERROR_CODES, type ErrorCode } from '@darkroom/image-api/contract';
import type { FastifySchemaValidationError } from 'fastify';
import { ApiError } from '../api-error.ts';

/** What is wrong with a request: a zod issue in Fastify's form. */
type ValidationIssue = Omit<FastifySchemaValidationError, 'schemaPath'>;

/** The error for the first problem in a part of a request: its body, its query or its headers. */
export function validationError([issue]: readonly ValidationIssue[], part: unknown): ApiError {
  if (!issue) return new ApiError('invalid_request', 'The request cannot be understood.');
  const [field = '', ...inner] = issue.instancePath.slice(1).split('/');
  const received = typeof part === 'object' && part !== null ? Reflect.get(part, field) : undefined;
  const details = { ...(field && { field }), ...(isShown(received) && { received }) };

  const own = codeIn(issue);
  if (own) return new ApiError(own, issue.message ?? own, { details });
  if (field === 'prompt' && (received == null || (typeof received === 'string' && received.trim() === ''))) {
    return new ApiError('missing_prompt', 'A submission needs a prompt: text, or a complete node graph.', {
      details: { field },
    });
  }
  if (field && received == null) return missingParameter(field);
  const bound = inner.length === 0 ? boundOf(issue, received) : undefined;
  if (bound) {
    return new ApiError('parameter_out_of_range', `${field} must ${bound.words}.`, {
      details: { ...details, ...bound.details },
    });
  }
  const { values: allowed } = issue.params;
  if (issue.keyword === 'invalid_value' && Array.isArray(allowed) && allowed.length > 1) {
    return new ApiError(
      field === 'workflow' ? 'unknown_workflow' : 'invalid_request',
      `${field} must be one of ${allowed.join(', ')}.`,
      { details: { ...details, allowed } },
    );
  }
  return new ApiError('invalid_request', messageFor(issue, field), { details });
}

export const missingParameter = (field: string): ApiError =>
  new ApiError('invalid_request', `${field} is missing: add it to the request.`, { details: { field } });

/** The bound that a number is beyond, or the length of a text. */
function boundOf({ keyword, params }: ValidationIssue, received: unknown) {
  if (!/^too_(big|small)$/.test(keyword)) return undefined;
  const { origin, maximum: max, minimum: min } = params;
  const limit = max === undefined ? { min } : { max };
  if (origin === 'number' || origin === 'int')
    return { words: max === undefined ? `be at least ${min}` : `be at most ${max}`, details: limit };
  if (origin === 'string' && typeof received === 'string') {
    const words = max === undefined ? 'not be empty' : `have at most ${max} characters`;
    return { words, details: { ...limit, received: received.length } };
  }
  return undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function messageFor(issue: ValidationIssue, field: string): string {
  if (!field) return 'The body must be a JSON object.';
  if (field === 'prompt') {
    return "prompt must be text, or a graph in ComfyUI's API format: nodes by id, each with class_type and inputs.";
  }
  if (/^(must|is) /.test(issue.message ?? '')) return `${field} ${issue.message}.`;
  if (issue.params.format === 'date') return `${field} must be a day such as 2030-12-31.`;
  const type = expectedBy(issue.params);
  return type ? `${field} must be ${type}.` : `${field} is not valid.`;
}

/** The type that was expected, in our words; of several the first that has some. */
function expectedBy({ expected, errors }: Record<string, unknown>): string | undefined {
  if (!Array.isArray(errors)) return TYPES[String(expected)];
  return errors
    .flat()
    .map(expectedBy)
    .find((type) => type !== undefined);
}

/** What is sent back of what was received: no long texts and no structures. */
const isShown = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 100);

function codeIn({ params }: ValidationIssue): ErrorCode | undefined {
  const inner = params.params;
  const code = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'code') : undefined;
  // Checked against the table of all codes.
  return typeof code === 'string' && code in ERROR_CODES ? (code as ErrorCode) : undefined;
}
