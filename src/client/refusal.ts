import type { ServiceErrorKind } from '../errors.ts';

/** What an answer that is not a success says about itself: `code` and `message` are the service's own. */
export interface RefusedAnswer {
  status: number;
  code: string | undefined;
  message: string | undefined;
  retryAfterMs: number | undefined;
}

/** 301, 307 and 308 send the same request elsewhere, so nothing was done here; after 302 and 303 nobody knows. */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

const BY_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  401: 'unauthorized',
  402: 'insufficient-balance',
  404: 'not-found',
  408: 'timeout',
  410: 'not-found',
  429: 'busy',
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

/** Where the status does not decide (`success: false` under 200, a 400 or 422 for everything), the words do. */
export function kindOfRefusal({ status, code, message, retryAfterMs }: RefusedAnswer): ServiceErrorKind {
  if (status >= 500) return status === 503 && retryAfterMs !== undefined ? 'busy' : 'broken';
  if (status >= 300 && status < 400) return MOVED.has(status) ? 'refused' : 'protocol';
  const known = BY_STATUS[status];
  if (known) return known;
  if (POOR_CODE.test(code ?? '') || POOR_WORDS.test(message ?? '')) return 'insufficient-balance';
  if (status === 403) return 'unauthorized';
  return BY_WORDS.find(([pattern]) => pattern.test(code ?? message ?? ''))?.[1] ?? 'refused';
}
