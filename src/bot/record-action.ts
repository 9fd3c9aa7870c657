import type { AuditEvent } from '../moderation/audit-entry.ts';
import type { Invocation } from './invocation.ts';

type Recording = Pick<Invocation<unknown, 'moderation'>, 'caller' | 'context'>;

/** Writes into the audit log what the caller has done. `guildId`: in which server; null where it concerns none. */
export const recordAction = (
  { caller, context }: Recording,
  guildId: string | null,
  event: AuditEvent,
): Promise<void> => context.moderation.auditLog.record({ ...event, guildId, actorId: caller.member.id });

/** Settings by their names, as text without words, which are the reader's; undefined where nothing is decided. */
export type WrittenSettings = Readonly<Record<string, string | undefined>>;

/** Likewise: each of these settings that is another one now. */
export async function recordChanges(
  invocation: Recording,
  guildId: string,
  before: WrittenSettings,
  after: WrittenSettings,
): Promise<void> {
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  const entries = changed.map((setting) =>
    recordAction(invocation, guildId, {
      event: 'setting-changed',
      setting,
      from: before[setting],
      to: after[setting],
    }),
  );
  await Promise.all(entries);
}
