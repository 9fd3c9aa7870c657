import { hyperlink } from 'discord.js';
import type { Job } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import { headline } from './prompt-text.ts';
import { linkToMessage } from './render-redirect.ts';

/** How far back a line is followed, and how many of its pictures are named: the next ones, and the first. */
const MOST_STEPS = 50;
const MOST_NAMED = 5;

/** Of the words of each. */
const WORDS_CHARACTERS = 40;

/**
 * The pictures that one was made from, back to the first, each with its words and a link; undefined where it was made from none that
 * its reader may know of. What was erased ends it: a deleted message leaves what was made of it. `find`: as its reader sees it.
 */
export async function lineOf(
  job: Job,
  texts: Texts,
  find: (jobId: string) => Promise<Job | undefined>,
): Promise<string | undefined> {
  const line: string[] = [];
  for (let child = job; child.parent && line.length < MOST_STEPS; ) {
    const { jobId, message } = child.parent;
    const parent = await find(jobId);
    const words = parent && headline(parent, texts, WORDS_CHARACTERS);
    const link = message && linkToMessage(child, message);
    if (link !== undefined) line.push(words === undefined ? link : hyperlink(words, link));
    else if (words !== undefined) line.push(words);
    if (!parent) break;
    child = parent;
  }
  const named = line.length > MOST_NAMED ? [...line.slice(0, MOST_NAMED - 1), '…', ...line.slice(-1)] : line;
  return named.length === 0 ? undefined : named.join(' ← ');
}
