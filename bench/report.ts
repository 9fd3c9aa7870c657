import type { Goal, Result, Spread, Unit } from './line.ts';

/** The lines of one measurement as a table: name, ours, bare minimum, ratio, goal. */
export function tableOf(results: readonly Result[]): string {
  const rows = [
    ['', 'darkroom', 'bare minimum', 'ratio', 'goal'],
    ...results.map(({ name, unit, ours, bare, ratio, goal }) => [
      name,
      spread(ours, unit),
      bare ? `${spread(bare, unit)}, ${bare.what}` : '',
      ratio ? spread(ratio, '') : '',
      goal ? `${goalText(goal, unit)}: ${goal.met ? 'met' : 'MISSED'}` : '',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** `86 ms (70 ms to 1.20 s)`: the median, and between which values the runs lie. */
export function spread({ median, least, greatest, runs }: Spread, unit: Unit): string {
  const middle = quantity(median, unit);
  return runs > 1 ? `${middle} (${quantity(least, unit)} to ${quantity(greatest, unit)})` : middle;
}

export function goalText(goal: Goal, unit: Unit): string {
  if ('atMost' in goal) return `at most ${quantity(goal.atMost, unit)}`;
  if ('atLeast' in goal) return `at least ${quantity(goal.atLeast, unit)}`;
  if ('atMostOverBare' in goal) return `at most ${quantity(goal.atMostOverBare, unit)} above bare`;
  return `at most ${goal.atMostTimesBare} times bare`;
}

/** `12 ms`, `1.20 s`, `0.31 cores`, `24,810/s`: three digits where there are fewer than three before the point. */
function quantity(value: number, unit: Unit): string {
  if (unit === 'ms' && value >= 1_000) return `${(value / 1_000).toFixed(2)} s`;
  const fractionDigits = Math.abs(value) >= 10 || Number.isInteger(value) ? 0 : 2;
  const number = value.toLocaleString('en', { maximumFractionDigits: fractionDigits });
  return unit === '' || unit === '/s' ? `${number}${unit}` : `${number} ${unit}`;
}
