import { z } from 'zod';

const memberId = z.string();
/** Whose linked key it is. */
const key = { owner: z.enum(['member', 'guild']) };

/**
 * What somebody did that others may want to know of. `memberId` is the member whom it concerns, where it is not the
 * one who did it. No secret is among the fields; a setting's values may hold any text.
 */
const event = z.discriminatedUnion('event', [
  z.object({ event: z.literal('key-linked'), ...key }),
  z.object({ event: z.literal('key-unlinked'), ...key }),
  z.object({ event: z.literal('key-revoked'), ...key }),
  z.object({
    event: z.literal('setting-changed'),
    setting: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  z.object({ event: z.literal('credits-viewed'), memberId }),
  z.object({ event: z.literal('picture-deleted'), memberId, jobId: z.string().optional() }),
  /** `until`: milliseconds since the epoch; for ever where it is missing. */
  z.object({ event: z.literal('member-blocked'), memberId, until: z.number().optional() }),
  z.object({ event: z.literal('member-unblocked'), memberId }),
  z.object({ event: z.literal('request-cancelled'), memberId, jobId: z.string() }),
  z.object({ event: z.literal('all-stopped'), jobs: z.int() }),
  z.object({
    event: z.literal('picture-reported'),
    memberId,
    jobId: z.string(),
    /** Of the picture of their own that it was made from. */
    sha256: z.string().optional(),
  }),
  z.object({ event: z.literal('graph-saved'), graph: z.string() }),
  z.object({ event: z.literal('graph-removed'), graph: z.string() }),
  z.object({ event: z.literal('report-dismissed'), memberId, jobId: z.string() }),
]);
export type AuditEvent = z.infer<typeof event>;

/**
 * An event, in which server (`null`: in direct messages), who did it (`null`: the bot by itself), and when, in
 * milliseconds since the epoch.
 */
export const auditEntry = z.intersection(
  z.object({ guildId: z.string().nullable(), actorId: z.string().nullable(), at: z.number() }),
  event,
);
export type AuditEntry = z.infer<typeof auditEntry>;
