/** Every reason for which a request is refused, with its HTTP status. The words are stable: programs rely on them. */
export const REFUSALS = {
  invalid_request: 400,
  missing_prompt: 400,
  parameter_out_of_range: 400,
  unknown_workflow: 400,
  workflow_format_ui: 400,
  graph_not_supported: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  missing_login_token: 401,
  invalid_login_token: 401,
  insufficient_balance: 402,
  key_forbidden: 403,
  task_not_found: 404,
  file_not_found: 404,
  unknown_endpoint: 404,
  unknown_action: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  too_many_keys: 409,
  idempotency_conflict: 409,
  key_unreadable: 409,
  file_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  queue_full: 429,
  headers_too_large: 431,
  internal_error: 500,
  database_unavailable: 503,
} as const;
export type RefusalCode = keyof typeof REFUSALS;
/** All of them. */
export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[]; // a literal has no other keys

/** A request that the service turns down, in words for whoever sent it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: RefusalCode,
    message: string,
    more: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return REFUSALS[this.code];
  }
}
