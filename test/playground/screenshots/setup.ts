import xterm from '@xterm/headless';
import type { Browser } from 'playwright-core';
import { answerEverything, openSetupWorld } from '../../support/setup-world.ts';
import { save } from './camera.ts';

const COLUMNS = 80;

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

/** `npm run setup` in a terminal, as it looks when everything is answered. */
export async function setup(browser: Browser): Promise<void> {
  const world = await openSetupWorld();
  try {
    const terminal = world.run({ columns: COLUMNS });
    await answerEverything(world, terminal);
    await terminal.ended;
    const page = await browser.newPage({ deviceScaleFactor: 1.5 });
    await page.setContent(
      `<body style="margin:0;background:#16181d"><pre style="margin:0;padding:16px 20px;width:max-content;font:13px/1.35 'DejaVu Sans Mono',monospace">${await drawnLines(terminal.output())}</pre></body>`,
    );
    await save('setup', await page.locator('pre').screenshot());
    await page.close();
  } finally {
    await world.close();
  }
}

/** The lines of a terminal that got `output`, as HTML. */
async function drawnLines(output: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: 40, scrollback: 1_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    return Array.from({ length: COLUMNS }, (__, column) => {
      const cell = line?.getCell(column);
      const text = (cell?.getChars() || ' ').replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'));
      const colour = cell?.isFgDefault() === false ? COLOURS[cell.getFgColor()] : COLOURS[0];
      return `<span style="color:${colour};opacity:${cell?.isDim() ? 0.6 : 1}">${text}</span>`;
    }).join('');
  });
  terminal.dispose();
  return lines.join('\n').replace(/(\s|<[^>]*> *<\/span>)*$/, '');
}
