import { z } from 'zod';
import { HEADERS } from '../contract/endpoints.ts';
import { readEnvelope } from '../contract/envelope.ts';
import { ServiceError } from '../errors.ts';
import { redact } from './redaction.ts';
import { kindOfRefusal } from './refusal.ts';
import { readRetryAfter } from './retry-after.ts';

/** A whole HTTP answer. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export interface AnswerContext {
  /** The operation, as messages name it. */
  what: string;
  /** What was sent and must not come back in a message. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

const REASON_MAX = 500;
const SNIPPET_MAX = 200;

/** `data` of a successful answer as `reader` reads it. Throws `ServiceError` for every other answer. */
export function readAnswer<Data>(answer: Answer, reader: z.ZodType<Data>, context: AnswerContext): Data {
  const { what, secrets } = context;
  const requestId = header(answer, HEADERS.requestId);
  const about = { status: answer.status, requestId: requestId && redact(requestId, secrets, SNIPPET_MAX) };
  const snippet = () => redact(answer.text, secrets, SNIPPET_MAX) || 'an empty body';
  const envelope = readEnvelope.safeParse(parseJson(answer.text)).data;
  const ok = answer.status >= 200 && answer.status < 300;

  if (ok && !envelope) {
    throw new ServiceError('protocol', `${what} answered something other than JSON: ${snippet()}`, about);
  }
  const refused = envelope?.refused ?? false;
  if (!ok || refused) {
    const spoken = refused || (envelope?.explained ?? false);
    const { code, message } = envelope?.problem ?? {};
    const retryAfterMs = readRetryAfter(header(answer, 'retry-after'), context.now);
    const kind = kindOfRefusal({ status: answer.status, spoken, code, message, retryAfterMs });
    const reason = message && redact(message, secrets, REASON_MAX);
    const location = header(answer, 'location');
    const detail = location
      ? `a redirect to ${redact(withoutQuery(location), secrets, SNIPPET_MAX)}`
      : (reason ?? snippet());
    throw new ServiceError(kind, `${what} answered ${answer.status}: ${detail}`, {
      ...about,
      code: code && redact(code, secrets, SNIPPET_MAX),
      reason,
      retryAfterMs,
    });
  }
  const read = reader.safeParse(envelope?.data);
  if (read.success) return read.data;
  const problem = z.prettifyError(read.error);
  throw new ServiceError(
    'protocol',
    `${what} answered data that cannot be read: ${redact(`${problem} in ${answer.text}`, secrets, SNIPPET_MAX)}`,
    about,
  );
}

/** The JSON value in `text`; undefined where there is none. Ids too large for a number survive as text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/("(?:task_)?id"\s*:\s*)(\d{16,})(?=\s*[,}])/g, '$1"$2"'));
  } catch {
    return undefined;
  }
}

function header({ headers }: Answer, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const withoutQuery = (location: string) => location.replace(/[?#].*$/, '');
