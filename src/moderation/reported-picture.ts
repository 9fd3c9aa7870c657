import { z } from 'zod';
import { MOST_ALONE } from '../delivery/pictures/removed-pictures.ts';
import type { MessageLocation } from '../jobs/job.ts';
import type { ReportedJob } from './reported-inputs.ts';

const location = z.object({ channelId: z.string(), messageId: z.string() });

/** Whose picture it is, and where it stands: what is kept of it without its job. */
export const reportedRow = z.object({
  /** Who made it. */
  memberId: z.string(),
  posted: location,
  /** Where one of several stands alone as well. */
  alone: z.array(location).optional().catch(undefined),
});

/** A picture of a server that is reported, as far as it is known without its job. */
export interface ReportedPicture extends ReportedJob, z.output<typeof reportedRow> {}

type Standing = Pick<ReportedPicture, 'posted' | 'alone'>;

/** The same, with another message that shows it, or one of several alone. */
export function withCopy<Picture extends Standing>(picture: Picture, copy: MessageLocation): Picture {
  const { posted, alone = [] } = picture;
  const isKnown = [posted, ...alone].some(({ messageId }) => messageId === copy.messageId);
  return isKnown ? picture : { ...picture, alone: [...alone.slice(1 - MOST_ALONE), copy] };
}

/** The same, with all messages of another report of it. */
export const withCopiesOf = <Picture extends Standing>(
  picture: Picture,
  { posted, alone = [] }: Standing,
): Picture => [posted, ...alone].reduce((one, copy) => withCopy(one, copy), picture);
