/**
 * Every `error.code` of our service, with its HTTP status. The codes are stable: programs rely on them. The interface
 * itself shows none.
 */
export const ERROR_CODES = {
  invalid_request: 400,
  missing_prompt: 400,
  parameter_out_of_range: 400,
  unknown_workflow: 400,
  workflow_format_ui: 400,
  graph_not_supported: 400,
  operation_not_supported: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  missing_login_token: 401,
  invalid_login_token: 401,
  insufficient_balance: 402,
  key_forbidden: 403,
  task_not_found: 404,
  picture_not_found: 404,
  file_not_found: 404,
  unknown_endpoint: 404,
  unknown_action: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  too_many_keys: 409,
  too_many_uploads: 409,
  idempotency_conflict: 409,
  key_unclear: 409,
  key_unreadable: 409,
  no_webhook: 409,
  file_expired: 410,
  body_too_large: 413,
  picture_too_large: 413,
  unsupported_media_type: 415,
  picture_unreadable: 422,
  rate_limited: 429,
  queue_full: 429,
  headers_too_large: 431,
  internal_error: 500,
  database_unavailable: 503,
  pictures_unavailable: 503,
  engine_unavailable: 503,
  file_unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

export const ANY_REQUEST_ERRORS = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];

/** Additional codes for requests with a key: `rate_limited` after too many without a valid one. */
export const KEY_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

/** Likewise for requests with a login token. */
export const TOKEN_ERRORS = ['missing_login_token', 'invalid_login_token', 'rate_limited'] as const;

export const BODY_ERRORS = [
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];
