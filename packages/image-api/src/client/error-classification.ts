import type { ServiceErrorKind } from '../service-error.ts';
import { isAboutKey, isAboutRights, isStatusName } from './key-words.ts';

/** What a response that is not a success says about itself: `code` and `message` are the service's own. */
interface ErrorResponse {
  status: number;
  /** Whether the service itself says so, in the interface's envelope; a page may be a proxy's. */
  byService: boolean;
  code: string | undefined;
  message: string | undefined;
  retryAfterMs: number | undefined;
  /** As of its operation. */
  carriesContent: boolean;
}

/** 301, 307 and 308 send the same request elsewhere, so it did not arrive; after 302 and 303 nobody knows. */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

/** Statuses that mean the same from a service and from a proxy. */
const KIND_BY_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  402: 'insufficient-balance',
  408: 'timeout',
  413: 'refused',
  429: 'busy',
};

/** Statuses that count only from the service itself. */
const KIND_BY_SERVICE_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  401: 'unauthorized',
  404: 'not-found',
  410: 'not-found',
};

/** The word alone is enough in a code. A sentence needs more: it may quote a prompt about a balance. */
const BALANCE_CODE = /balance|credit|insufficient(?!.{0,3}(permission|privilege|scope|right))/i;
const BALANCE_MESSAGE =
  /(insufficient|not enough|too (few|low)|out of|no( more)?|needs?|requires?|lacks?) .{0,20}(balance|credits?\b(?! card))|(balance|credits?\b(?! card)).{0,20}(insufficient|too low|exhausted|used up|exceeded|not enough|is empty)/i;

const KIND_BY_WORDS: readonly [RegExp, ServiceErrorKind][] = [
  [/not.?found|no such|unknown.?task|does( not|n't) exist/i, 'not-found'],
  [/rate.?limit|too.?many.?requests|queue.?full|overload|\bbusy\b/i, 'busy'],
];

/**
 * The kind of error that a response means. A proxy in front of the service answers 401, 403 and 404 as well, for
 * example while the service restarts; such a response is `protocol`, because it says nothing about the request. Where
 * the status does not decide (`success: false` with 200, or 400 for everything), the words do.
 */
export function classifyError({
  status,
  byService,
  code,
  message,
  retryAfterMs,
  carriesContent,
}: ErrorResponse): ServiceErrorKind {
  if (status >= 500) return status === 503 && retryAfterMs !== undefined ? 'busy' : 'broken';
  if (status >= 300 && status < 400) return MOVED.has(status) ? 'unreachable' : 'protocol';
  const known = KIND_BY_STATUS[status] ?? (byService ? KIND_BY_SERVICE_STATUS[status] : 'protocol');
  if (known) return known;
  if (BALANCE_CODE.test(code ?? '') || BALANCE_MESSAGE.test(message ?? '')) return 'insufficient-balance';
  const words = (code ?? message ?? '').trim();
  if (status === 403 ? isForbidden(code, message) : isAboutKey(words)) return 'unauthorized';
  const said = KIND_BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];
  return said ?? (status === 403 && !carriesContent ? 'unauthorized' : 'refused');
}

/**
 * Many a service answers 403 to a prompt that its content policy does not allow; its words are then of that. Where the
 * code only names the status, the message says what of.
 */
function isForbidden(code = '', message = ''): boolean {
  if (message !== '' && isStatusName(code)) return isAboutRights(message);
  return (code || message) === '' || isAboutRights(code) || isAboutRights(message);
}
