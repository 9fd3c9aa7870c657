import { ServiceError, type ServiceErrorKind } from '@darkroom/image-api';

const FOR_NOW: ReadonlySet<ServiceErrorKind> = new Set([
  'unreachable',
  'timeout',
  'interrupted',
  'busy',
  'broken',
  'unauthorized',
  'insufficient-balance',
]);

/** Whether a service that was asked for an addition may know it all the same: it was prevented, or the key was. */
export const mayAnswerLater = (error: unknown): boolean =>
  error instanceof ServiceError && FOR_NOW.has(error.kind);
