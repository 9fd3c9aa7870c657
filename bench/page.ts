import type { Result } from './line.ts';
import { bareMinimums, cellsOf, type Report } from './report.ts';
import { sizingRows } from './sizing.ts';

/**
 * `page` with its figures: between `<!-- bench: NAME -->` and `<!-- /bench -->` stands the table of that measurement,
 * or for `sizing` what follows from all. What an earlier version needed, measured by the same program, stands beside
 * it.
 */
export const withFigures = (page: string, now: Report, before: Report): string =>
  page.replaceAll(
    /(<!-- bench: ([a-z]+) -->\n).*?(?=<!-- \/bench -->)/gs,
    (_, mark: string, name: string) => {
      const [ours = [], earlier = []] = [now, before].map(({ measurements }) => measurements[name]);
      return `${mark}\n${name === 'sizing' ? markdown(sizingRows(now)) : tableOf(ours, earlier)}\n`;
    },
  );

function tableOf(now: readonly Result[], before: readonly Result[]): string {
  const names = [...new Set([...now, ...before].map(({ name }) => name))];
  const rows = names.map((name) => {
    const [, ours = '–', bare = '', ratio = '', goal = ''] = cellsIn(now, name);
    const [, earlier = '–'] = cellsIn(before, name);
    return [name, ours, earlier, bare, ratio, goal];
  });
  const heads = ['', 'Darkroom', 'before', 'bare minimum', 'ratio', 'goal'];
  const used = heads.map(
    (_, column) => column < 2 || rows.some((row) => !['', '–'].includes(row[column] ?? '')),
  );
  const table = markdown([heads, ...rows].map((cells) => cells.filter((_, column) => used[column])));
  return [table, ...bareMinimums(now).map((sentence) => `The ${sentence}.\n`)].join('\n');
}

/** A table whose columns are aligned, as Biome wants it; the first row is its head. */
function markdown([heads = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

function cellsIn(results: readonly Result[], name: string): string[] {
  const found = results.find((result) => result.name === name);
  return found ? cellsOf(found) : [];
}
