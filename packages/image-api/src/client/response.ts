import { z } from 'zod';
import { readEnvelope } from '../contract/envelope.ts';
import { HEADERS } from '../contract/operation.ts';
import { ServiceError } from '../service-error.ts';
import { classifyError } from './error-classification.ts';
import type { HttpResponse } from './http-request.ts';
import { redact } from './redaction.ts';
import { readRetryAfter } from './retry-after.ts';

interface ResponseContext {
  /** The operation, as messages name it. */
  what: string;
  carriesContent: boolean;
  /** What was sent and must not come back in a message. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

const REASON_MAX = 500;
const SNIPPET_MAX = 200;

/** `data` of a success, as `reader` reads it. Throws `ServiceError` for every other response. */
export function readResponse<Data>(
  response: Omit<HttpResponse, 'truncated'>,
  reader: z.ZodType<Data>,
  context: ResponseContext,
): Data {
  const { what, secrets, carriesContent } = context;
  const text = textOf(response);
  const requestId = header(response, HEADERS.requestId);
  const about = { status: response.status, requestId: requestId && redact(requestId, secrets, SNIPPET_MAX) };
  const snippet = () => redact(text, secrets, SNIPPET_MAX) || 'an empty body';
  const envelope = readEnvelope.safeParse(parseJson(text)).data;
  const ok = response.status >= 200 && response.status < 300;

  if (ok && !envelope) {
    throw new ServiceError('protocol', `${what} answered something other than JSON: ${snippet()}`, about);
  }
  const failed = envelope?.failed ?? false;
  if (!ok || failed) {
    const byService = failed || (envelope?.hasError ?? false);
    const { code, message, credits } = envelope?.error ?? {};
    const retryAfterMs = readRetryAfter(
      header(response, 'retry-after'),
      context.now,
      header(response, 'date'),
    );
    const { status } = response;
    const kind = classifyError({ status, byService, code, message, retryAfterMs, carriesContent });
    const reason = message && redact(message, secrets, REASON_MAX);
    const location = header(response, 'location');
    const redirectsTo = location && redact(withoutQuery(location), secrets, SNIPPET_MAX);
    const detail = redirectsTo ? `a redirect to ${redirectsTo}` : (reason ?? snippet());
    throw new ServiceError(kind, `${what} answered ${response.status}: ${detail}`, {
      ...about,
      code: code && redact(code, secrets, SNIPPET_MAX),
      reason,
      retryAfterMs,
      credits,
      redirectsTo,
    });
  }
  const read = reader.safeParse(envelope?.data);
  if (read.success) return read.data;
  const mismatch = z.prettifyError(read.error);
  throw new ServiceError(
    'protocol',
    `${what} answered data that cannot be read: ${redact(`${mismatch} in ${text}`, secrets, SNIPPET_MAX)}`,
    about,
  );
}

/** Without the byte order mark that some servers begin with. */
const textOf = ({ body }: Pick<HttpResponse, 'body'>) => body.toString().replace(/^\uFEFF/, '');

/** The JSON value in `text`; undefined where there is none. Ids too large for a number survive as text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/("(?:task_)?id"\s*:\s*)(\d{16,})(?=\s*[,}])/g, '$1"$2"'));
  } catch {
    return undefined;
  }
}

function header({ headers }: Pick<HttpResponse, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const withoutQuery = (location: string) => location.replace(/[?#].*$/, '');
