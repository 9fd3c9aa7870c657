import { readFile, writeFile } from 'node:fs/promises';
import { withFigures } from './page.ts';
import type { Report } from './report.ts';

/** The project, as seen from `dist/bench`. */
const ROOT = new URL('../../', import.meta.url);
const FIGURES = new URL('docs/bench.json', ROOT);
/** Of the version that `docs/performance.md` compares with, by the same program on the same machine. */
const FIGURES_BEFORE = new URL('docs/bench-before.json', ROOT);
const PAGES = ['README.md', 'docs/performance.md'];

/**
 * Puts what was measured into `docs/bench.json`, where the rest stays as it was, and renews the tables that are made
 * from it.
 */
export async function writeFigures(measured: Report): Promise<void> {
  const known = await readReport(FIGURES);
  const now = { ...measured, measurements: { ...known.measurements, ...measured.measurements } };
  await writeFile(FIGURES, `${JSON.stringify(now, undefined, 2)}\n`);
  const before = await readReport(FIGURES_BEFORE);
  for (const page of PAGES) {
    const path = new URL(page, ROOT);
    await writeFile(path, withFigures(await readFile(path, 'utf8'), now, before));
  }
}

const readReport = async (path: URL): Promise<Report> => JSON.parse(await readFile(path, 'utf8'));
