import type { Result } from './line.ts';
import { bareMinimums, cellsOf, type Report } from './report.ts';
import { sizingTable } from './sizing.ts';

/**
 * `page` with its figures: between `<!-- bench: NAME -->` and `<!-- /bench -->` stands the table of that measurement, or for
 * `sizing` what follows from all. What an earlier version needed, measured by the same program, stands beside it.
 */
export const withFigures = (page: string, now: Report, before: Report): string =>
  page.replaceAll(
    /(<!-- bench: ([a-z]+) -->\n).*?(?=<!-- \/bench -->)/gs,
    (_, mark: string, name: string) => {
      const [ours = [], earlier = []] = [now, before].map(({ measurements }) => measurements[name]);
      return `${mark}\n${name === 'sizing' ? sizingTable(now) : tableOf(ours, earlier)}\n`;
    },
  );

function tableOf(now: readonly Result[], before: readonly Result[]): string {
  const names = [...new Set([...now, ...before].map(({ name }) => name))];
  const rows = names.map((name) => {
    const [, ours = '–', ...beside] = cellsIn(now, name);
    const [, earlier = '–'] = cellsIn(before, name);
    return [name, ours, earlier, ...beside];
  });
  const heads = ['', 'Darkroom', 'before', 'bare minimum', 'ratio', 'goal'];
  const used = heads.map(
    (_, column) => column < 2 || rows.some((row) => !['', '–'].includes(row[column] ?? '')),
  );
  const line = (cells: readonly string[]) =>
    `| ${heads.flatMap((_, column) => (used[column] ? [cells[column] ?? ''] : [])).join(' | ')} |`;
  const table = [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
  return `${[...table, ...bareMinimums(now).map((sentence) => `\n${sentence}`)].join('\n')}\n`;
}

function cellsIn(results: readonly Result[], name: string): string[] {
  const found = results.find((result) => result.name === name);
  return found ? cellsOf(found) : [];
}
