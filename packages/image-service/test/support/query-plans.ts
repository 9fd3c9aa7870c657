import { CompiledQuery, type KyselyPlugin, SqliteQueryCompiler } from 'kysely';
import type { ServiceDatabase } from '../../src/database/database.ts';

/** A step of a plan, such as `SEARCH tasks USING INDEX tasksByEnd (finishedAt<?)`. */
interface PlanStep {
  detail: string;
}

/** How SQLite finds the rows of each query that `work` asks of the database it is given, step by step. */
export async function queryPlans(
  db: ServiceDatabase,
  work: (db: ServiceDatabase) => Promise<unknown>,
): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push(new SqliteQueryCompiler().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(recorder));
  const steps: string[] = [];
  for (const { sql, parameters } of asked) {
    const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<PlanStep>(plan);
    steps.push(...rows.map(({ detail }) => detail));
  }
  return steps;
}
