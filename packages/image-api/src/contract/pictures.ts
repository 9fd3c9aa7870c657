import { z } from 'zod';
import { PUBLIC_ADDRESS } from './public-address.ts';
import { OPERATIONS_BY_PROMPT, TASK_OPERATIONS } from './task-operation.ts';

/** Bounds of pictures that something is made of. Sides are in pixels. */
export const PICTURE_LIMITS = {
  /** Formats that are decoded; any other is a decoder more that strangers may feed. */
  types: ['image/png', 'image/jpeg', 'image/webp'],
  /** Of a file. */
  bytes: 10 * 1024 ** 2,
  /** Decoded, before a larger picture is shrunk to `side`. */
  pixels: 24 * 1024 ** 2,
  side: { min: 64, max: 2048 },
  /** Of what is made. */
  resultSide: 4096,
  /** Pictures that one task begins with. */
  count: 4,
} as const;

const EXPECTED_PICTURE = 'must be upload:ID, task:ID, an https address, or data:image/…;base64,…';

/** An upload, or a task of the same account that is completed; or where the picture is, or the picture itself. */
const pictureName = z.union(
  [
    z.string().regex(/^(upload:[0-9a-f]+|task:[0-9a-f-]+)$/i),
    z
      .string()
      .regex(/^https:\/\//i)
      .meta(PUBLIC_ADDRESS),
    z.string().regex(/^data:image\/[\w.+-]{1,50};base64,[\w+/-]{4,}={0,2}$/i),
  ],
  EXPECTED_PICTURE,
);

const EXPECTED_PICTURES = `${EXPECTED_PICTURE}, or a list of up to ${PICTURE_LIMITS.count} of them`;

const EXPECTED_MARGINS = `must be an object with left, top, right, bottom in whole pixels from 0 to ${PICTURE_LIMITS.resultSide}`;
const margin = z
  .number(EXPECTED_MARGINS)
  .min(0, EXPECTED_MARGINS)
  .max(PICTURE_LIMITS.resultSide, EXPECTED_MARGINS)
  .int(EXPECTED_MARGINS)
  .optional();

/**
 * The parameters of a submission that are about pictures: additions of ours, sent to a service whose capabilities
 * name them.
 */
export const pictureParameters = z.object({
  /** `generate` unless given. */
  operation: z.enum(TASK_OPERATIONS).optional(),
  /** What it begins with; more than one only to edit. */
  image: z
    .union([pictureName, z.array(pictureName).min(1).max(PICTURE_LIMITS.count)], EXPECTED_PICTURES)
    .optional(),
  /** What is to change of the first picture, in white or transparent; of the same proportions. */
  mask: pictureName.optional(),
  /** How much may change: 1 the most. */
  strength: z.number().min(0).max(1).optional(),
  /** How many times as wide and high. */
  scale: z.union([z.literal(2), z.literal(4)], 'must be 2 or 4').optional(),
  /** How much is added on each side, in pixels. */
  expand: z
    .strictObject({ left: margin, top: margin, right: margin, bottom: margin }, EXPECTED_MARGINS)
    .optional(),
});

interface Asked {
  prompt: unknown;
  operation?: keyof typeof NEEDED | undefined;
  image?: unknown;
  expand?: Readonly<Record<string, number | undefined>> | undefined;
}

/** The parameters that an operation cannot do without. */
const NEEDED = {
  generate: [],
  edit: ['image'],
  upscale: ['image'],
  expand: ['image', 'expand'],
  remove_background: ['image'],
} as const;

/** Finds what does not go together in a submission; each issue is about the parameter that mends it. */
export function checkOperation({ value, issues }: z.core.ParsePayload<Asked>): void {
  const { prompt, operation = 'generate', image, expand } = value;
  const missing = (field: string, message: string, params = {}) =>
    issues.push({ code: 'custom', input: undefined, path: [field], message, params });

  if (prompt === '' && OPERATIONS_BY_PROMPT.has(operation)) missing('prompt', 'is missing');
  if (typeof prompt === 'object' && operation !== 'generate')
    missing('prompt', 'A graph says itself what it begins with: send words with an operation.', {
      code: 'graph_not_supported',
    });
  for (const field of NEEDED[operation]) if (value[field] === undefined) missing(field, 'is missing');
  if (operation === 'generate' && image !== undefined) missing('operation', 'is missing');
  if (operation !== 'edit' && Array.isArray(image) && image.length > 1)
    missing('image', `${operation} begins with one picture.`, { code: 'parameter_out_of_range' });
  if (operation === 'expand' && expand && Object.values(expand).every((pixels) => !pixels))
    missing('expand', 'expand needs left, top, right or bottom with more than 0 pixels.', {
      code: 'parameter_out_of_range',
    });
}
