import { PICTURE_LIMITS, type Submission } from '@darkroom/image-api/contract';
import { ApiError } from '../api-error.ts';
import type { InputPicture, Source } from '../engines/engine.ts';
import type { Size } from '../engines/size.ts';

/** How much an edit changes, and how many times as wide an upscaled picture is, where a submission does not say. */
const STRENGTH = 0.75;
const SCALE = 2;

/** What is to be made of pictures that were found. Throws an API error where they do not fit together. */
export function sourceOf(
  operation: Source['operation'],
  { strength = STRENGTH, scale = SCALE, expand = {} }: Submission,
  { images, mask }: { images: readonly InputPicture[]; mask: InputPicture | undefined },
): Source {
  const [image] = images;
  // The contract has seen that there is one.
  if (!image) throw new Error('an operation begins with a picture');
  switch (operation) {
    case 'edit':
      if (mask) requireSameShape(image, mask);
      return { operation, images, strength, ...(mask && { mask }) };
    case 'upscale':
      return { operation, image, scale };
    case 'expand': {
      const { left = 0, top = 0, right = 0, bottom = 0 } = expand;
      return { operation, image, margins: { left, top, right, bottom } };
    }
    case 'remove_background':
      return { operation, image };
  }
}

/** The engines fit it to the picture: an upload of a mask is made smaller, where a picture that was drawn is not. */
function requireSameShape(image: InputPicture, mask: InputPicture): void {
  const difference = Math.abs(mask.width * image.height - mask.height * image.width);
  // Of one pixel, as sizes are rounded.
  if (difference <= Math.max(image.width, image.height)) return;
  throw new ApiError(
    'invalid_request',
    `mask has ${mask.width} × ${mask.height} pixels and image ${image.width} × ${image.height}: send a mask of the same proportions.`,
    { details: { field: 'mask' } },
  );
}

/** The size of what is made, in pixels; of an edit, unless the submission says another. */
export function sizeOfResult(source: Source): Size {
  const { width = 0, height = 0 } = (source.operation === 'edit' ? source.images[0] : source.image) ?? {};
  switch (source.operation) {
    case 'upscale':
      return { width: width * source.scale, height: height * source.scale };
    case 'expand': {
      const { left, top, right, bottom } = source.margins;
      return { width: left + width + right, height: top + height + bottom };
    }
    default:
      return { width, height };
  }
}

/** The parameter that makes the result large. */
const ENLARGING = { edit: 'image', upscale: 'scale', expand: 'expand', remove_background: 'image' } as const;

/** Throws an API error where what is made would be too large. */
export function requireResult(source: Source): void {
  const { width, height } = sizeOfResult(source);
  const max = PICTURE_LIMITS.resultSide;
  if (Math.max(width, height) <= max) return;
  throw new ApiError(
    'parameter_out_of_range',
    `The result would have ${width} × ${height} pixels, and may have at most ${max} on each side: choose a smaller ${ENLARGING[source.operation]}.`,
    { details: { field: ENLARGING[source.operation], max } },
  );
}
