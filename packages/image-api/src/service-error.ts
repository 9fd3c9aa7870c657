import type { CreditsMissing } from './contract/envelope.ts';

/**
 * Where a call to the image service failed:
 * - `unreachable` no connection, one that was closed while the request was sent, or a redirect to another address;
 *   the request never arrived
 * - `timeout` no whole answer within the bound; what the service did is unknown
 * - `interrupted` the connection broke after the request left; what the service did is unknown
 * - `busy` 429, or 503 with `Retry-After`
 * - `broken` 5xx
 * - `refused` the request was understood and rejected (4xx in the service's own words, or `success: false`)
 * - `unauthorized` the key or login token was not accepted (401; 403, of a call that brings a prompt or a picture only
 *   where its words are of the key)
 * - `insufficient-balance` too few credits (402)
 * - `not-found` 404, 410
 * - `protocol` the answer is not what the interface promises: a 4xx that is a page, too
 * - `blocked` an address or a picture that we do not fetch: scheme, private address, size, type
 */
export const SERVICE_ERROR_KINDS = [
  'unreachable',
  'timeout',
  'interrupted',
  'busy',
  'broken',
  'refused',
  'unauthorized',
  'insufficient-balance',
  'not-found',
  'protocol',
  'blocked',
] as const;
export type ServiceErrorKind = (typeof SERVICE_ERROR_KINDS)[number];

const RETRYABLE: ReadonlySet<ServiceErrorKind> = new Set([
  'unreachable',
  'timeout',
  'interrupted',
  'busy',
  'broken',
  'protocol',
]);

/** Kinds after which nobody can tell whether a submission was accepted. */
const UNCLEAR: ReadonlySet<ServiceErrorKind> = new Set(['timeout', 'interrupted', 'broken', 'protocol']);

interface ServiceErrorDetails {
  /** The service's own `error.code`, e.g. `parameter_out_of_range`. */
  code?: string | undefined;
  status?: number | undefined;
  /** From `Retry-After`, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** The service's `x-request-id`. */
  requestId?: string | undefined;
  /** The service's own sentence, at most 500 characters, secrets removed. */
  reason?: string | undefined;
  /** What was to be paid and what there was, where the service says so. */
  credits?: CreditsMissing | undefined;
  /** Where a redirect leads that was not followed, without its query. */
  redirectsTo?: string | undefined;
  /**
   * Of a picture that is larger than its caller allows, and not than any that is taken: its bytes, or the most that
   * it can have where the answer does not say.
   */
  pictureBytes?: number | undefined;
  cause?: unknown;
}

/** A call to the image service that gave no usable answer. An abort by the caller is never one. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly reason: string | undefined;
  readonly credits: CreditsMissing | undefined;
  readonly redirectsTo: string | undefined;
  readonly pictureBytes: number | undefined;

  constructor(kind: ServiceErrorKind, message: string, details: ServiceErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.reason = details.reason;
    this.credits = details.credits;
    this.redirectsTo = details.redirectsTo;
    this.pictureBytes = details.pictureBytes;
  }

  /**
   * Whether asking again later can help, by the kind alone; says nothing about whether that is safe for a submission.
   */
  get retryable(): boolean {
    return RETRYABLE.has(this.kind);
  }

  /** For a submission: the service may have accepted it although we got no usable answer. */
  get unclear(): boolean {
    return UNCLEAR.has(this.kind);
  }
}
