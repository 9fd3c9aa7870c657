import { sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';

/** An invariant of the ledger, and a query for what violates it. */
interface Invariant {
  rule: string;
  violations: ReturnType<typeof sql<{ subject: string }>>;
}

const INVARIANTS: readonly Invariant[] = [
  {
    rule: 'an entry is of the account of its grant',
    violations: sql`
      select cast("grants"."id" as text) as "subject" from "grants"
      join "entries" on "entries"."grantId" = "grants"."id"
      where "entries"."accountId" <> "grants"."accountId"
      group by "grants"."id"`,
  },
  {
    rule: 'what is left of a grant is the sum of its entries',
    violations: sql`
      select cast("grants"."id" as text) as "subject" from "grants"
      left join "entries" on "entries"."grantId" = "grants"."id"
      group by "grants"."id", "grants"."remaining"
      having "grants"."remaining" <> coalesce(sum("entries"."amount"), 0)`,
  },
  {
    rule: 'nothing is spent that was not granted',
    violations: sql`select cast("id" as text) as "subject" from "grants" where "remaining" < 0`,
  },
  {
    rule: "what is reserved for a task is the task's cost",
    violations: sql`
      select "tasks"."id" as "subject" from "tasks"
      left join "entries" on "entries"."taskId" = "tasks"."id" and "entries"."kind" = 'reserve'
      group by "tasks"."id", "tasks"."cost"
      having "tasks"."cost" <> -coalesce(sum("entries"."amount"), 0)`,
  },
  {
    rule: 'a completed task is captured, a failed one that costs nothing is released, and any other is neither',
    violations: sql`
      select "tasks"."id" as "subject" from "tasks"
      join "entries" as "reserved" on "reserved"."taskId" = "tasks"."id" and "reserved"."kind" = 'reserve'
      left join "entries" as "settled"
        on "settled"."taskId" = "reserved"."taskId" and "settled"."grantId" = "reserved"."grantId"
        and "settled"."kind" in ('capture', 'release')
      where coalesce("tasks"."charged", 0) = 0
      group by "tasks"."id", "tasks"."state", "reserved"."id"
      having coalesce(min("settled"."kind"), '') || coalesce(max("settled"."kind"), '') <>
        case "tasks"."state" when 'completed' then 'capturecapture' when 'failed' then 'releaserelease' else '' end`,
  },
  {
    rule: 'of a failed task, what it did not cost is released',
    violations: sql`
      select "tasks"."id" as "subject" from "tasks"
      left join "entries" on "entries"."taskId" = "tasks"."id" and "entries"."kind" = 'release'
      where "tasks"."charged" is not null
      group by "tasks"."id", "tasks"."state", "tasks"."cost", "tasks"."charged"
      having "tasks"."state" <> 'failed'
        or "tasks"."cost" - "tasks"."charged" <> coalesce(sum("entries"."amount"), 0)`,
  },
  {
    rule: 'what is reserved for a task that is not there any more is captured, released, or a part of it each',
    violations: sql`
      select coalesce("reserved"."taskId", cast("reserved"."grantId" as text)) as "subject"
      from "entries" as "reserved"
      left join "tasks" on "tasks"."id" = "reserved"."taskId"
      left join "entries" as "settled"
        on "settled"."taskId" = "reserved"."taskId" and "settled"."grantId" = "reserved"."grantId"
        and "settled"."kind" in ('capture', 'release')
      where "reserved"."kind" = 'reserve' and "tasks"."id" is null
      group by "reserved"."id", "reserved"."taskId", "reserved"."grantId"
      having count("settled"."id") = 0`,
  },
  {
    rule: 'what is released is what was reserved, or less where a part was captured',
    violations: sql`
      select "released"."taskId" as "subject" from "entries" as "released"
      left join "entries" as "reserved"
        on "reserved"."taskId" = "released"."taskId" and "reserved"."grantId" = "released"."grantId"
        and "reserved"."kind" = 'reserve'
      left join "entries" as "captured"
        on "captured"."taskId" = "released"."taskId" and "captured"."grantId" = "released"."grantId"
        and "captured"."kind" = 'capture'
      where "released"."kind" = 'release' and case
        when "captured"."id" is null then coalesce("reserved"."amount", 0) <> -"released"."amount"
        else "released"."amount" < 1 or "released"."amount" >= -coalesce("reserved"."amount", 0) end`,
  },
];

export interface Violation {
  rule: string;
  /** The grant or the task. */
  subject: string;
}

/** Checks the whole ledger; resolves with every violation of an invariant. */
export async function checkLedger(db: ServiceDatabase): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { rule, violations: query } of INVARIANTS) {
    const { rows } = await query.execute(db);
    violations.push(...rows.map(({ subject }) => ({ rule, subject })));
  }
  return violations;
}
