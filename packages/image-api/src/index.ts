export { createGuardedConnector, IDLE_CONNECTION_MS, isPublicAddress } from './client/address-guard.ts';
export { createImageClient, type ImageClient, type ImageClientOptions } from './client/client.ts';
export { USER_AGENT, VERSION } from './client/http-request.ts';
export { pictureTypeOf } from './client/picture-fetch.ts';
export { readRetryAfter } from './client/retry-after.ts';
export * from './contract.ts';
