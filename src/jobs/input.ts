import { isDeepStrictEqual } from 'node:util';
import type { Submission } from '@darkroom/image-api';
import { z } from 'zod';
import { type Payer, payer } from '../credentials/key-owner.ts';
import type { Size } from '../limits/size.ts';

/** A file as Discord keeps it, at an address of its own that lives for hours. */
const attachedFile = z.object({
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

/** A picture in a message of the bot that everybody there can see. */
const shownPicture = z.object({
  channelId: z.string(),
  messageId: z.string(),
  /** It stands in the name of its file. */
  seed: z.int(),
  /** Its place among the pictures of the message, from 0, and how many there are. */
  nth: z.int(),
  count: z.int(),
});
export type ShownPicture = z.output<typeof shownPicture>;

/** The picture that a job begins with. */
export const input = z.object({
  /** What the image service calls it: `task:ID` where it has drawn it, `upload:ID` once it has been brought there. */
  name: z.string().optional(),
  /** Whose key it is that the service knows it by this name for. */
  payer: payer.optional(),
  /**
   * Where it is fetched, to be brought: from Discord, by its address or by its message, else from the service that
   * has drawn it.
   */
  file: attachedFile.optional(),
  shown: shownPicture.optional(),
  imageUrl: z.string().optional(),
  /** The workflow that has drawn it, where that is one of the service. */
  workflow: z.string().optional(),
  /** Pixels, where they are known. */
  width: z.number().optional(),
  height: z.number().optional(),
  /** How many pixels the result may have, where that could not be known before the picture was fetched. */
  mostPixels: z.number().optional(),
  /** Of the file that was brought, in hexadecimal: by it moderators know it again. */
  sha256: z.string().optional(),
  /** The file that was brought moves: it is its first frame that the service keeps. */
  animated: z.literal(true).optional(),
  /** It was not made here. */
  own: z.literal(true).optional(),
  /** Of one that was made here, step by step, from such a one: who had brought that. */
  broughtBy: z.string().optional(),
  /** Who had posted such a one, where that was somebody else than who brought it. */
  postedBy: z.string().optional(),
  /** Not everybody could see it, and so nobody else sees what is made of it until that is published. */
  private: z.literal(true).optional(),
  /** It is not for everybody, and so is what is made of it, whatever the service says of that. */
  flagged: z.literal(true).optional(),
});
export type Input = z.output<typeof input>;

/** Where it was drawn, where the service can name it as one that it has drawn. */
export const drawnIn = ({ name, workflow }: Input): string | undefined =>
  name?.startsWith('task:') ? workflow : undefined;

/** As the account of `payer` knows it: without another's name for it. Undefined where it cannot be fetched either. */
export function inputFor(payer: Payer, input: Input): Input | undefined {
  const isNamed = input.name !== undefined && isDeepStrictEqual(input.payer, payer);
  return isNamed ? input : unnamed(input);
}

/** Without its name, to be brought. Undefined where it cannot be fetched. */
export const unnamed = ({ name: _, payer: __, ...others }: Input): Input | undefined =>
  others.file || others.shown || others.imageUrl !== undefined ? others : undefined;

/** The size of what is made, where it is known. Pixels. */
export function sizeOfResult({
  submission: { operation = 'generate', width, height, scale, expand = {} },
  input,
}: {
  submission: Submission;
  input?: Input | undefined;
}): Size | undefined {
  if (width !== undefined && height !== undefined) return { width, height };
  if (operation === 'generate' || input?.width === undefined || input.height === undefined) return undefined;
  const { left = 0, right = 0, top = 0, bottom = 0 } = expand;
  return {
    width: input.width * (scale ?? 1) + left + right,
    height: input.height * (scale ?? 1) + top + bottom,
  };
}

/** A file cannot be had where it was said to be. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError';
}
