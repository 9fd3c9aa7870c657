import type { core } from 'zod';
import type { ZodMiniType } from 'zod/mini';
import { createFormErrors, type FormErrors, invalidFormBody, type Path } from './form-errors.ts';

/**
 * `body` as `schema` wants it, keys that it does not know removed. Throws 50035 with Discord's tree of errors, whose
 * paths start at `at`.
 */
export function parseBody<T>(schema: ZodMiniType<T>, body: unknown, at: Path = []): T {
  if (typeof body !== 'object' || body === null) {
    throw invalidFormBody(
      at,
      'MODEL_TYPE_CONVERT',
      'Only dictionaries may be used in a ModelType. Got something else.',
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = createFormErrors(at);
  report(errors, parsed.error.issues, { at: [], body });
  errors.throwIfAny();
  throw parsed.error;
}

/** A body that is a list. Throws 50035. */
export function listOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw invalidFormBody([], 'LIST_TYPE_CONVERT');
}

function report(
  errors: FormErrors,
  issues: readonly core.$ZodIssue[],
  where: { at: Path; body: unknown },
): void {
  for (const issue of issues) {
    const path = [...where.at, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
    const branch = issue.code === 'invalid_union' ? likeliest(issue.errors) : undefined;
    if (branch) report(errors, branch, { at: path, body: where.body });
    else if (valueAt(where.body, path) === undefined) {
      errors.add(path, 'BASE_TYPE_REQUIRED');
    } else errors.add(path, ...describe(issue));
  }
}

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}

/** Of a union of tagged objects, the one whose tag fits; `undefined` where none does. */
function likeliest(branches: readonly core.$ZodIssue[][]): readonly core.$ZodIssue[] | undefined {
  const wrongTag = (issue: core.$ZodIssue) =>
    issue.path.length === 0 || (issue.path.length === 1 && issue.path[0] === 'type');
  return branches.find((issues) => issues.length > 0 && !issues.some(wrongTag));
}

/** Discord's code and sentence for what zod found. */
function describe(issue: core.$ZodIssue): [code: string, message: string] {
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? ['BASE_TYPE_BAD_LENGTH', `Must be ${issue.maximum} or fewer in length.`]
        : ['NUMBER_TYPE_MAX', `Value should be less than or equal to ${issue.maximum}.`];
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? ['BASE_TYPE_BAD_LENGTH', `Must be ${issue.minimum} or more in length.`]
        : ['NUMBER_TYPE_MIN', `Value should be greater than or equal to ${issue.minimum}.`];
    case 'invalid_type':
      return ['MODEL_TYPE_CONVERT', `Could not interpret the value as ${issue.expected}.`];
    case 'invalid_value':
      return ['BASE_TYPE_CHOICES', `Value must be one of {${issue.values.join(', ')}}.`];
    case 'invalid_format':
      return issue.format === 'url'
        ? ['URL_TYPE_INVALID_URL', 'Not a well formed URL.']
        : ['STRING_TYPE_REGEX', 'String value did not match validation regex.'];
    case 'invalid_union':
      return ['UNION_TYPE_CHOICES', 'Value fits none of the allowed types.'];
    default:
      return ['BASE_TYPE_INVALID', 'Invalid value.'];
  }
}

/**
 * `body` with a set of permissions as a number: Discord takes the text that libraries send, its description does not.
 */
export function numeric(body: unknown, key: string): unknown {
  const value: unknown = Reflect.get(Object(body), key);
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return body;
  return { ...Object(body), [key]: Number(value) };
}

/** A set of permissions as a body says it; `0n` where it says none. Throws 50035. */
export function permissionsOf(value: unknown, at: Path): bigint {
  const text = String(value ?? 0);
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  throw invalidFormBody(at, 'BITFIELD_TYPE_INVALID');
}
