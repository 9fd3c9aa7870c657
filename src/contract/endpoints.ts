/** An operation of the interface: method, path below `{base_url}`, and the query that selects it. */
export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  query: Readonly<Record<string, string>>;
}

const v1 = (method: Endpoint['method'], endpoint: string) => ({
  method,
  path: '/v1/index.php',
  query: { endpoint },
});
const keyAction = (method: Endpoint['method'], action: string) => ({
  method,
  path: '/api.php',
  query: { action },
});

/** Every operation there is. The interface does not show the methods of `get_api_key` and `revoke_api_key`: POST is ours. */
export const ENDPOINTS = {
  submit: v1('POST', 'image_generation'),
  status: v1('GET', 'task_status'),
  balance: v1('GET', 'user_balance'),
  /** These two are ours; the interface has no such operations. */
  cancel: v1('POST', 'cancel_task'),
  list: v1('GET', 'task_list'),
  generateKey: keyAction('POST', 'generate_api_key'),
  getKey: keyAction('POST', 'get_api_key'),
  revokeKey: keyAction('POST', 'revoke_api_key'),
} as const satisfies Record<string, Endpoint>;

/** Headers of the interface, and the two of ours that make a repeated submission safe. */
export const HEADERS = {
  key: 'x-api-key',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotencySupported: 'idempotency-key-supported',
} as const;
