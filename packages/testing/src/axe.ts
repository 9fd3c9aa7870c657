import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);

interface Violation {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** What axe finds wrong on the page as it is now, for people who read it in another way: one line for each. */
export async function axeProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window')))
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const violations: Violation[] = await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${JSON.stringify(target)} ${failureSummary}`),
  );
}
