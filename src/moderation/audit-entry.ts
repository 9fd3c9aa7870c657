import { z } from 'zod';

const memberId = z.string();
const jobId = z.string();

/**
 * What somebody did that others may want to know of. `memberId` is the member whom it concerns, where it is not the
 * one who did it. No secret is among the fields; a setting's values may hold any text.
 */
const event = z.discriminatedUnion('event', [
  /** `owner`: whose linked key it is. */
  z.object({
    event: z.enum(['key-linked', 'key-unlinked', 'key-revoked']),
    owner: z.enum(['member', 'guild']),
  }),
  z.object({
    event: z.literal('setting-changed'),
    setting: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  z.object({ event: z.enum(['credits-viewed', 'member-unblocked']), memberId }),
  z.object({ event: z.literal('picture-deleted'), memberId, jobId: jobId.optional() }),
  /** `until`: milliseconds since the epoch; for ever where it is missing. */
  z.object({ event: z.literal('member-blocked'), memberId, until: z.number().optional() }),
  z.object({ event: z.enum(['request-cancelled', 'report-dismissed']), memberId, jobId }),
  z.object({ event: z.literal('all-stopped'), jobs: z.int() }),
  /** `sha256`: of the picture of their own that it was made from. */
  z.object({ event: z.literal('picture-reported'), memberId, jobId, sha256: z.string().optional() }),
  z.object({ event: z.enum(['graph-saved', 'graph-removed']), graph: z.string() }),
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
