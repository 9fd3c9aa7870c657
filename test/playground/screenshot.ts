import { launchChromium } from '@darkroom/testing';
import { jobs } from './screenshots/lists.ts';
import { changed, developing, grid, own, phone, playground, refusal } from './screenshots/pictures.ts';
import { settings, usage } from './screenshots/server.ts';
import { setup } from './screenshots/setup.ts';

const SCENES = { playground, developing, grid, changed, own, refusal, phone, jobs, settings, usage, setup };

// All of them, or those that are named.
const named = process.argv.slice(2);
const browser = await launchChromium();
try {
  for (const [name, take] of Object.entries(SCENES)) {
    if (named.length === 0 || named.includes(name)) await take(browser);
  }
} finally {
  await browser.close();
}
