import type { ServiceError } from '@darkroom/image-api';
import type { Words } from './words/words.ts';

/** Why the image service did not do what was asked of it, in its own words where it has some, in a sentence. */
export function serviceProblem({ kind, reason, redirectsTo }: ServiceError, { doctor, said }: Words): string {
  if (redirectsTo !== undefined) return doctor.redirected(redirectsTo);
  if (kind === 'unauthorized') return doctor.refusedKey;
  return reason === undefined ? doctor.serviceDown(kind) : said(reason);
}
