import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

export class WrongSettings extends OperatorError {
  readonly names: readonly string[];
  /** Each as `NAME: what is wrong`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const names = [...new Set(problems.flatMap((problem) => problem.split(':', 1)))];
    super(
      [
        `${names.length === 1 ? 'One setting is' : `${names.length} settings are`} wrong, so nothing was done:`,
        ...problems.map((problem) => `  ${problem}`),
        '.env.example explains each of them.',
      ].join('\n'),
    );
    this.names = names;
    this.problems = problems;
  }
}

/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

function wholeNumber(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
}

const port = (fallback: number) => wholeNumber(0, 65_535).default(fallback);

/** Whether an address names a user: it would be shown with the address, in logs and to others. */
function hasUserInfo(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

const address = z.url({
  protocol: /^https?$/,
  normalize: true,
  abort: true,
  error: 'expected an address such as https://images.example.com',
});

/** Addresses to which paths are added. */
const base = address.refine(
  (url) => !/[?#]/.test(url),
  'expected an address without anything that begins with ? or #',
);

const withoutSlashes = (url: string) => url.replace(/\/+$/, '');

/** What a list of addresses becomes where it is read as one. */
const SECOND_ADDRESS = /,(?:%20|\s)*https?:?\/\//i;

const WITH_USER = 'expected an address without a user name or password in it';

/** An address that is shown to others as it is. */
const webPage = address.refine((url) => !hasUserInfo(url), WITH_USER);

const httpUrl = base
  .refine((url) => !hasUserInfo(url), WITH_USER)
  .refine((url) => !SECOND_ADDRESS.test(url), 'expected one address, without a comma')
  .transform(withoutSlashes);

const list = z.string().transform((text) => text.split(',').map((value) => value.trim()));

const httpUrls = list.pipe(z.array(httpUrl)).readonly();

/** Addresses that may name a user and a password, and are secrets then. */
const secretHttpUrls = list.pipe(z.array(base.transform(withoutSlashes))).readonly();

/** Keys of a vault: at least one. */
const secretKeys = list
  .pipe(
    z
      .tuple([z.string()], z.string())
      .refine(
        (keys) => keys.every((key) => /^[0-9a-f]{64}$/i.test(key)),
        'expected 64 hexadecimal characters, or several of these separated by commas (openssl rand -hex 32)',
      ),
  )
  .readonly();

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'expected JSON', input: undefined });
    return z.NEVER;
  }
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const logLevel = z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional();

/** What a variable of the environment may be, as zod schemas. Each says in its error what was expected. */
export const setting = {
  httpUrl,
  httpUrls,
  json,
  list,
  logLevel,
  port,
  secretHttpUrls,
  secretKeys,
  webPage,
  wholeNumber,
};

/**
 * The environment as one frozen object. White space around a value is cut off; an empty variable counts as absent.
 * `check` finds what no single variable shows, as `NAME: what is wrong`. Throws `WrongSettings`, which names
 * everything that is wrong, and never shows a value.
 */
export function readEnvironment<Schema extends z.ZodType<object>>(
  schema: Schema,
  env: Environment,
  check: (present: Environment) => readonly string[] = () => [],
): Readonly<z.output<Schema>> {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const);
  const present = Object.fromEntries(trimmed.filter(([name, value]) => value && !isLink(name, value)));
  const read = schema.safeParse(present);
  const problems = [...(read.error?.issues ?? []).map(describe), ...check(present)];
  if (read.success && problems.length === 0) return Object.freeze(read.data);
  // Several values of one list may be wrong in the same way.
  throw new WrongSettings([...new Set(problems)]);
}

/**
 * Whether it is no setting, but the address of a Service of Kubernetes, which gives it to every pod: a Service `http` is
 * `HTTP_PORT=tcp://10.0.0.1:80`. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export const isLink = (name: string, value: string) => name.endsWith('_PORT') && value.startsWith('tcp://');

/** `SERVICE_PRICES: rr3.step: expected …` */
function describe({ path: [name, ...within], message }: z.core.$ZodIssue): string {
  const where = within.filter((part) => typeof part === 'string').join('.');
  return [name, where, message].filter(Boolean).join(': ');
}
