import { z } from 'zod';
import { ANY_REQUEST_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { looseId, looseMoment, looseNumber } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { PICTURE_LIMITS } from './pictures.ts';
import { schema } from './schema.ts';

/** A picture that was uploaded. Pixels; bytes as it is kept. */
const sent = schema(
  z
    .object({
      /** Named in a submission as `upload:ID`. */
      id: z.string(),
      width: z.int(),
      height: z.int(),
      bytes: z.int(),
      /** A day after it was last used; sooner where its account keeps as much as it may. */
      expires_at: z.iso.datetime(),
      /** It moves, and only its first frame is kept. */
      animated: z.literal(true).optional(),
      /** That only its first frame is kept, or that it was made smaller. */
      warnings: z.array(z.string()).optional(),
    })
    .meta({ id: 'Upload' }),
);

/** As it is kept; what the service does not tell is undefined. */
const read = schema(
  z
    .object({
      id: looseId,
      /** Pixels. */
      width: looseNumber,
      height: looseNumber,
      bytes: looseNumber,
      expires_at: looseMoment,
      /** It moves, and only its first frame is kept. */
      animated: z.literal(true).optional().catch(undefined),
      warnings: z.array(z.string()).catch([]),
    })
    .transform(({ expires_at, ...upload }) => ({ ...upload, expiresAt: expires_at })),
);
export type Upload = z.infer<typeof read>;

export const upload = {
  method: 'POST',
  ...v1('upload'),
  tag: 'pictures',
  summary: 'Upload a picture',
  description: `PNG, JPEG or WebP, as its bytes say: of at most ${PICTURE_LIMITS.bytes / 1024 ** 2} MiB and ${PICTURE_LIMITS.pixels / 1024 ** 2} megapixels. It is turned as its EXIF says, and kept without EXIF and comments until a day after its last use; where its account keeps as much as it may, what was used longest ago goes sooner, but nothing that a task may need. Of an animation only the first frame is kept, which the answer says. It is made smaller where a side has more than ${PICTURE_LIMITS.side.max} pixels, larger where one has less than ${PICTURE_LIMITS.side.min}, and refused where one is more than ${PICTURE_LIMITS.side.max / PICTURE_LIMITS.side.min} times as long as the other. The same file again is the same upload.`,
  auth: 'key',
  file: 'file',
  carriesContent: true,
  answer: { sent, read },
  errors: [
    ...ANY_REQUEST_ERRORS,
    ...KEY_ERRORS,
    'unsupported_media_type',
    'picture_unreadable',
    'picture_too_large',
    'too_many_uploads',
    'pictures_unavailable',
  ],
} as const satisfies Operation;
