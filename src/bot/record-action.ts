import type { AuditEvent } from '../moderation/audit-entry.ts';
import type { Invocation } from './invocation.ts';

/** Writes into the audit log what the caller has done. `guildId`: in which server; null where it concerns none. */
export const recordAction = (
  { caller, context }: Pick<Invocation<unknown, 'moderation'>, 'caller' | 'context'>,
  guildId: string | null,
  event: AuditEvent,
): Promise<void> => context.moderation.auditLog.record({ ...event, guildId, actorId: caller.member.id });
