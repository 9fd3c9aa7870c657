import type { Goal, Result, Spread, Unit } from './line.ts';

/** What `--json` prints: the machine, how long it took, and the lines of each measurement by its name. */
export interface Report {
  node: string;
  cpu: string;
  cores: number;
  seconds: number;
  measurements: Record<string, readonly Result[]>;
}

/** The lines of one measurement as a table, and under it what each bare minimum is. */
export function tableOf(results: readonly Result[]): string {
  const rows = [['', 'darkroom', 'bare minimum', 'ratio', 'goal'], ...results.map(cellsOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [...lines, ...bareMinimums(results)].map((line) => `  ${line}`.trimEnd()).join('\n');
}

/** Name, Darkroom, bare minimum, ratio, goal. */
export const cellsOf = ({ name, unit, ours, bare, ratio, goal }: Result): string[] => [
  name,
  spreadText(ours, unit),
  bare ? spreadText(bare, unit) : '',
  ratio ? spreadText(ratio, '') : '',
  goal ? `${goalText(goal, unit)}: ${goal.met ? 'met' : 'missed'}` : '',
];

/** A sentence for each kind of bare minimum that is among them. */
export function bareMinimums(results: readonly Result[]): string[] {
  const kinds = new Set(results.flatMap(({ bare }) => (bare ? [bare.what] : [])));
  return kinds.size === 0 ? [] : [`bare minimum: ${[...kinds].join('; ')}`];
}

/** `1.20 s (0.97 to 2.31)`: the median, and between which values the runs lie. */
function spreadText({ median, least, greatest, runs }: Spread, unit: Unit): string {
  const [scale, shown] = unit === 'ms' && median >= 1_000 ? [1_000, 's'] : [1, unit];
  const number = (value: number) => digits(value / scale);
  const middle = `${number(median)}${shown === '' || shown === '/s' ? shown : ` ${shown}`}`;
  return runs > 1 ? `${middle} (${number(least)} to ${number(greatest)})` : middle;
}

function goalText(goal: Goal, unit: Unit): string {
  const quantity = (value: number) =>
    spreadText({ median: value, least: value, greatest: value, runs: 1 }, unit);
  if ('atMost' in goal) return `at most ${quantity(goal.atMost)}`;
  if ('atLeast' in goal) return `at least ${quantity(goal.atLeast)}`;
  if ('atMostOverBare' in goal) return `at most ${quantity(goal.atMostOverBare)} above`;
  if ('atLeastTimesBare' in goal) return `at least ${goal.atLeastTimesBare} times`;
  return `at most ${goal.atMostTimesBare} times`;
}

/** `24,810`, `86`, `1.20`, `0.31`: whole from ten on. */
function digits(value: number): string {
  const fractionDigits = Math.abs(value) >= 10 || Number.isInteger(value) ? 0 : 2;
  const options = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits };
  return value.toLocaleString('en', options);
}
