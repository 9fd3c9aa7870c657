import type { ServiceErrorKind } from '../errors.ts';

/** What an answer that is not a success says about itself: `code` and `message` are the service's own. */
export interface RefusedAnswer {
  status: number;
  /** Whether the service itself says that it refuses, in the interface's envelope; a page may be a proxy's. */
  spoken: boolean;
  code: string | undefined;
  message: string | undefined;
  retryAfterMs: number | undefined;
}

/** 301, 307 and 308 send the same request elsewhere, so it did not arrive; after 302 and 303 nobody knows. */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

/** What means the same whoever says it: 413 and 429 stand for a request that was not taken, and no proxy asks for money. */
const BY_ANYBODY: Readonly<Record<number, ServiceErrorKind>> = {
  402: 'insufficient-balance',
  408: 'timeout',
  413: 'refused',
  429: 'busy',
};

const BY_SERVICE: Readonly<Record<number, ServiceErrorKind>> = {
  401: 'unauthorized',
  404: 'not-found',
  410: 'not-found',
};

/** In a code; a sentence may speak of a balance that a prompt is about. */
const POOR_CODE = /balance|credit|insufficient(?!.{0,3}(permission|privilege|scope|right))/i;
const POOR_WORDS =
  /(insufficient|not enough|too (few|low)|out of|no( more)?|needs?|requires?|lacks?) .{0,20}(balance|credits?\b(?! card))|(balance|credits?\b(?! card)).{0,20}(insufficient|too low|exhausted|used up|exceeded|not enough|is empty)/i;

const BY_WORDS: readonly [RegExp, ServiceErrorKind][] = [
  [
    /unauthori[sz]ed|forbidden|authenticat|(invalid|missing|unknown|expired|revoked|wrong).{0,20}(key|token)|(key|token).{0,20}(invalid|missing|unknown|expired|revoked|required|not found)/i,
    'unauthorized',
  ],
  [/not.?found|no such|unknown.?task|does( not|n't) exist/i, 'not-found'],
  [/rate.?limit|too.?many.?requests|queue.?full|overload|\bbusy\b/i, 'busy'],
];

/**
 * Only an answer in the service's own words is a refusal: proxies in front of it answer 401, 403 and 404 as well, while it
 * is started anew. Where the status does not decide (`success: false` under 200, a 400 or 422 for everything), the words do.
 */
export function kindOfRefusal({
  status,
  spoken,
  code,
  message,
  retryAfterMs,
}: RefusedAnswer): ServiceErrorKind {
  if (status >= 500) return status === 503 && retryAfterMs !== undefined ? 'busy' : 'broken';
  if (status >= 300 && status < 400) return MOVED.has(status) ? 'unreachable' : 'protocol';
  const known = BY_ANYBODY[status] ?? (spoken ? BY_SERVICE[status] : 'protocol');
  if (known) return known;
  if (POOR_CODE.test(code ?? '') || POOR_WORDS.test(message ?? '')) return 'insufficient-balance';
  if (status === 403) return 'unauthorized';
  return BY_WORDS.find(([pattern]) => pattern.test(code ?? message ?? ''))?.[1] ?? 'refused';
}
