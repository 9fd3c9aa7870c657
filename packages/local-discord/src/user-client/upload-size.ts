import type { Context } from '../context.ts';
import { attachmentSizeLimit } from '../rules/attachments.ts';
import { guildOf } from '../state/channels.ts';
import type { Channel } from '../state/state.ts';
import type { Upload } from './user-client.ts';
import { UserClientError } from './user-client-error.ts';

/** Throws where a file is larger than the channel takes. `field`: where it was chosen. */
export function checkUploadSize(
  { bytes }: Upload,
  channel: Channel,
  { state, limits }: Pick<Context, 'state' | 'limits'>,
  field?: string,
): void {
  const limit = attachmentSizeLimit(limits.attachment, guildOf(state, channel));
  if (bytes.length > limit) throw new UserClientError('invalid', 'fileTooLarge', { limit }, field);
}
