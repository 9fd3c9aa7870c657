import { CompiledQuery, type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { z } from 'zod';
import type { ServiceDatabase } from '../../src/database/database.ts';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  /** Of a node that reads a table. */
  'Relation Name'?: string | undefined;
  Plans?: PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Relation Name': z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.tuple([z.object({ Plan: planNode })]);

/** How many rows PostgreSQL reads for the queries that `work` asks of the database it is given. */
export async function rowsRead(
  db: ServiceDatabase,
  work: (db: ServiceDatabase) => Promise<unknown>,
): Promise<number> {
  const asked: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push(new PostgresQueryCompiler().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(recorder));
  let rows = 0;
  for (const { sql, parameters } of asked) {
    const plan = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]);
    const [answer] = (await db.executeQuery<{ 'QUERY PLAN': unknown }>(plan)).rows;
    const [{ Plan }] = explained.parse(answer?.['QUERY PLAN']);
    rows += readBy(Plan);
  }
  return rows;
}

function readBy(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), 0);
  return below + (node['Relation Name'] === undefined ? 0 : own);
}
