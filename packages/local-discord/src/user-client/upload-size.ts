import type { Context } from '../context.ts';
import type { Upload } from './shapes.ts';
import { UserClientError } from './user-client-error.ts';

/** Throws where a file is larger than Discord takes. `field`: where it was chosen. */
export function checkUploadSize(
  { bytes }: Upload,
  { limits: { attachment: limit } }: Pick<Context, 'limits'>,
  field?: string,
): void {
  if (bytes.length > limit) throw new UserClientError('invalid', 'fileTooLarge', { limit }, field);
}
