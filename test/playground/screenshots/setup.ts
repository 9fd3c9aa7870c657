import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refdClock } from '@darkroom/time';
import xterm from '@xterm/headless';
import { answerEverything, openSetupWorld } from '../../support/setup-world.ts';
import { KEY, type Shown, type TerminalProgram } from '../../support/terminal.ts';

const COLUMNS = 80;
const ROWS = 30;

/** In pixels. */
const CELL = { width: 7.8, height: 18 };
const MARGIN = 16;
const SIZE = { width: COLUMNS * CELL.width + 2 * MARGIN, height: ROWS * CELL.height + 2 * MARGIN };

/** A screen that was there for a shorter time was on its way to the next one. */
const STEADY_MS = 120;
/** Nobody wants to watch somebody wait, nor read in a hurry. */
const LEAST_MS = 300;
const MOST_MS = 2_000;
/** Between two keys. */
const KEY_MS = 400;
/** The last screen stays, before it begins again. */
const END_MS = 6_000;

/** The colours that clack uses, by their number in a terminal. */
const COLOURS = [
  '#c8ccd4',
  '#f0716f',
  '#7fc77a',
  '#e2b866',
  '#6ea8fe',
  '#c792ea',
  '#66c6c6',
  '#c8ccd4',
  '#7d8590',
];

/** `npm run setup` in a terminal, from nothing to a picture, as an SVG that moves. Written into docs/. */
export async function setup(): Promise<void> {
  const world = await openSetupWorld();
  try {
    const terminal = world.run({ columns: COLUMNS, rows: ROWS, env: { npm_lifecycle_event: 'setup' } });
    await answerEverything(world, typedByHand(terminal));
    await terminal.ended;
    const svg = drawn(await screensOf(terminal.recording()));
    const file = join('docs', 'setup.svg');
    await writeFile(file, svg);
    process.stdout.write(`Wrote ${file} (${Math.ceil(svg.length / 1_024)} KiB)\n`);
  } finally {
    await world.close();
  }
}

/** Each key after a while, so that what is asked can be read. */
function typedByHand(terminal: TerminalProgram): TerminalProgram {
  let typed = Promise.resolve();
  const types = (...keys: string[]) => {
    for (const key of keys) typed = typed.then(() => refdClock.sleep(KEY_MS)).then(() => terminal.types(key));
  };
  return {
    ...terminal,
    types,
    async answers(question, ...words) {
      await terminal.sees(question);
      types(...words, KEY.enter);
    },
  };
}

interface Screen {
  /** Each as SVG; empty where nothing is. */
  lines: string[];
  /** How long it is seen. */
  ms: number;
}

/** What a terminal that got this has shown, one screen after the other. */
async function screensOf(recording: readonly Shown[]): Promise<Screen[]> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const screens: Screen[] = [];
  for (const [nth, { atMs, text }] of recording.entries()) {
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    const next = recording[nth + 1];
    const ms = next === undefined ? END_MS : next.atMs - atMs;
    if (ms < STEADY_MS) continue;
    const lines = Array.from({ length: ROWS }, (_, row) => lineOf(terminal, row));
    const last = screens.at(-1);
    if (last?.lines.join('\n') === lines.join('\n')) last.ms += ms;
    else screens.push({ lines, ms });
  }
  terminal.dispose();
  return screens.map(({ lines, ms }, nth) => ({
    lines,
    ms: nth === screens.length - 1 ? END_MS : Math.min(MOST_MS, Math.max(LEAST_MS, ms)),
  }));
}

/** The words of a line, each run of one colour where it stands. */
function lineOf({ buffer: { active } }: xterm.Terminal, row: number): string {
  const line = active.getLine(active.viewportY + row);
  const runs: { column: number; text: string; style: string }[] = [];
  for (let column = 0; column < COLUMNS; column += 1) {
    const cell = line?.getCell(column);
    const colour = cell?.isFgDefault() === false ? COLOURS[cell.getFgColor()] : COLOURS[0];
    const style = `fill="${colour}"${cell?.isDim() ? ' opacity=".6"' : ''}`;
    const text = cell?.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ column, text, style });
  }
  return runs
    .filter(({ text }) => text.trim() !== '')
    .map(({ column, text, style }) => {
      const words = text.trimEnd();
      const x = (column * CELL.width).toFixed(1);
      const length = (words.length * CELL.width).toFixed(1);
      return `<tspan x="${x}" textLength="${length}" ${style}>${words.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</tspan>`;
    })
    .join('');
}

/**
 * The screens beside each other, and a window that goes from one to the next; where nothing moves, it is at the last.
 */
function drawn(screens: readonly Screen[]): string {
  const { width, height } = SIZE;
  const all = [...new Set(screens.flatMap(({ lines }) => lines))].filter((line) => line !== '');
  const total = screens.reduce((sum, { ms }) => sum + ms, 0);
  let before = 0;
  const steps = screens.map(({ ms }, nth) => {
    const step = `${((100 * before) / total).toFixed(2)}%{transform:translateX(${-nth * width}px)}`;
    before += ms;
    return step;
  });
  const place = `translateX(${-(screens.length - 1) * width}px)`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<title>npm run setup in a terminal</title>',
    `<style>@keyframes run{${steps.join('')}100%{transform:${place}}}`,
    `.screens{transform:${place};animation:run ${total}ms steps(1,end) infinite}`,
    '@media(prefers-reduced-motion:reduce){.screens{animation:none}}',
    "text{font:13px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}</style>",
    `<defs>${all.map((line, nth) => `<text id="l${nth}">${line}</text>`).join('\n')}</defs>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#16181d"/><g class="screens">`,
    ...screens.map(({ lines }, nth) => {
      const uses = lines.flatMap((line, row) =>
        line === '' ? [] : [`<use href="#l${all.indexOf(line)}" y="${(row + 0.75) * CELL.height}"/>`],
      );
      return `<g transform="translate(${nth * width + MARGIN} ${MARGIN})">${uses.join('')}</g>`;
    }),
    '</g></svg>',
    '',
  ].join('\n');
}
