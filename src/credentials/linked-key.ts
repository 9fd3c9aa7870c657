import { z } from 'zod';
import type { SealedField } from '../storage/sealed-field.ts';

/** Where the rows of linked keys hold them. */
export const sealedKeys = {
  collection: 'keys',
  field: 'sealed',
  contextOf: (id) => id,
} as const satisfies SealedField;

/** On what terms a server's key pays. */
const serverTerms = z.object({
  /** Only for members with this role; for everybody where it is missing. */
  roleId: z.string().optional(),
  /** How many pictures a day it pays for one member at most. What it pays for all is among the server's limits. */
  picturesPerMember: z.int().optional(),
  /** Where moderators are told, once, that fewer credits than this are left. */
  warning: z.object({ channelId: z.string(), below: z.number() }).optional(),
});
export type ServerTerms = z.infer<typeof serverTerms>;

export const linkedKey = z.object({
  [sealedKeys.field]: z.string(),
  /** The last four characters, for people to recognise it. */
  tail: z.string().length(4),
  /** The account's name at the service, when it was linked. */
  username: z.string().optional(),
  linkedAt: z.number(),
  /** The servers in which its owner has said that moderators may see its credits. */
  visibleIn: z.array(z.string()).default([]),
  /** Since when the service does not accept it, in milliseconds since the epoch. Only its owner can help. */
  rejectedAt: z.number().optional(),
  /** Of a server's key. */
  terms: serverTerms.optional(),
  /** Likewise: of fewer credits than these it has been warned, since there were that many. */
  warnedBelow: z.number().optional(),
  /** Likewise: how often that was. */
  warnings: z.int().default(0),
});
export type LinkedKey = z.infer<typeof linkedKey>;
