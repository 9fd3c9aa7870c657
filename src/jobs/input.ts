import type { Submission } from '@darkroom/image-api';
import { z } from 'zod';
import { type Payer, payer } from '../credentials/key-owner.ts';
import type { Size } from '../limits/size.ts';

/** A file as Discord keeps it, at an address of its own that lives for hours. */
export const attachedFile = z.object({
  name: z.string(),
  url: z.string(),
  /** Bytes. */
  size: z.number(),
  contentType: z.string().optional(),
  /** Of a picture, in pixels. */
  width: z.number().optional(),
  height: z.number().optional(),
});
export type AttachedFile = z.output<typeof attachedFile>;

/** The picture that a job begins with. */
export const input = z.object({
  /** What the image service calls it: `task:ID` where it has drawn it, `upload:ID` once it has been brought there. */
  name: z.string().optional(),
  /** Whose key it is that the service knows it by this name for. */
  payer: payer.optional(),
  /** Where it is fetched, to be brought: from Discord, else from the service that has drawn it. */
  file: attachedFile.optional(),
  imageUrl: z.string().optional(),
  /** The workflow that has drawn it, where that is one of the service. */
  workflow: z.string().optional(),
  /** Pixels, where they are known. */
  width: z.number().optional(),
  height: z.number().optional(),
  /** Of the file that was brought, in hexadecimal: by it moderators know it again. */
  sha256: z.string().optional(),
  /** It was not made here. */
  own: z.literal(true).optional(),
  /** Not everybody could see it, and so nobody else sees what is made of it until that is published. */
  private: z.literal(true).optional(),
});
export type Input = z.output<typeof input>;

/** Where it was drawn, where the service can name it as one that it has drawn. */
export const drawnIn = ({ name, workflow }: Input): string | undefined =>
  name?.startsWith('task:') ? workflow : undefined;

/** As `payer` can name it: what another account knows by a name has to be brought for this one. Undefined where it is nowhere. */
export function inputFor(payer: Payer, { name, payer: namedFor, ...others }: Input): Input | undefined {
  const isSame = namedFor?.kind === payer.kind && idOf(namedFor) === idOf(payer);
  if (name !== undefined && isSame) return { ...others, name, payer };
  return others.file || others.imageUrl !== undefined ? others : undefined;
}

const idOf = (payer: Payer): string | undefined => ('id' in payer ? payer.id : undefined);

/** The size of what is made, where it is known. Pixels. */
export function sizeOfResult({
  submission: { operation = 'generate', width, height, scale, expand = {} },
  input: begins,
}: {
  submission: Submission;
  input?: Input | undefined;
}): Size | undefined {
  if (width !== undefined && height !== undefined) return { width, height };
  if (operation === 'generate' || begins?.width === undefined || begins.height === undefined)
    return undefined;
  const { left = 0, right = 0, top = 0, bottom = 0 } = expand;
  return {
    width: begins.width * (scale ?? 1) + left + right,
    height: begins.height * (scale ?? 1) + top + bottom,
  };
}

/** A file cannot be had where it was said to be. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError';
}
