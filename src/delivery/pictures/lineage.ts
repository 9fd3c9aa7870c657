import { hyperlink } from 'discord.js';
import type { Job, Parent } from '../../jobs/job.ts';
import { type Caller, isShownTo } from '../../jobs/job-request.ts';
import type { Texts } from '../../messages/locale/en.ts';
import { linkToMessage } from '../job-links.ts';
import { headline } from '../prompt-text.ts';

/** How far back a line is followed, and how many of its pictures are named: the next ones, and the first. */
const MOST_STEPS = 50;
const MOST_NAMED = 5;

/** Of the words of each. */
const WORDS_CHARACTERS = 40;

/**
 * Whether a job began with a picture that its parent made: not with the parent's words or settings alone, nor with
 * the picture that the parent itself had begun with.
 */
const beganWithParent = ({ input, parent }: Pick<Job, 'input' | 'parent'>): boolean =>
  input !== undefined && input.own !== true && parent?.task !== undefined;

/** Whether a job was made from another one: of its picture, or by varying it. */
export const wasMadeFrom = (job: Pick<Job, 'input' | 'parent'>): boolean =>
  job.parent?.varied === true || beganWithParent(job);

/** What was done with the picture, or the words, that it began with; undefined where it is new. */
export function whatWasDone({ submission, parent }: Job, { source: { done } }: Texts): string | undefined {
  if (parent?.varied) return done.vary;
  const { operation = 'generate', scale = 2 } = submission;
  if (operation === 'generate') return undefined;
  return operation === 'upscale' ? done.upscale(scale) : done[operation];
}

type FindJob = (jobId: string) => Promise<Job | undefined>;

const beganWithOther = ({ input }: Job): boolean => input !== undefined && !input.own;

/**
 * From a job back to the first for which `goesOn` does not hold, such as one that began with a picture of its
 * member's own: each with the job that it was made from, which is undefined where it is not known any more.
 */
async function* linksBack(
  job: Job,
  find: FindJob,
  goesOn: (job: Job) => boolean = beganWithOther,
): AsyncGenerator<{ child: Job; madeFrom: Parent; parent: Job | undefined }> {
  let child: Job | undefined = job;
  for (let steps = 0; child?.parent && goesOn(child) && steps < MOST_STEPS; steps += 1) {
    const { parent: madeFrom } = child;
    const parent: Job | undefined = await find(madeFrom.jobId);
    yield { child, madeFrom, parent };
    child = parent;
  }
}

/**
 * The task, and its job, that made the picture with which a job began, also where only a repeat of the request did;
 * undefined where that is not known, or a member had brought the picture.
 */
export async function drawnBefore(
  job: Job,
  find: FindJob,
): Promise<{ job: Job; task: number | undefined } | undefined> {
  for await (const { child, madeFrom, parent } of linksBack(job, find))
    if (beganWithParent(child)) return parent && { job: parent, task: madeFrom.task };
  return undefined;
}

/**
 * The pictures that one was made or varied from, back to the first, each with its words and a link; undefined where
 * there is none that `reader` may know of. What was erased ends it: a deleted message leaves what was made of it.
 */
export async function lineOf(
  job: Job,
  reader: Caller,
  texts: Texts,
  find: FindJob,
): Promise<string | undefined> {
  async function findShown(jobId: string): Promise<Job | undefined> {
    const found = await find(jobId);
    return found && isShownTo(reader, found) ? found : undefined;
  }
  const line: string[] = [];
  const goesOn = (child: Job) => wasMadeFrom(child) || beganWithOther(child);
  for await (const { child, madeFrom, parent } of linksBack(job, findShown, goesOn)) {
    if (!wasMadeFrom(child)) continue;
    const words = parent && headline(parent, texts, WORDS_CHARACTERS);
    const link = madeFrom.message && linkToMessage(child, madeFrom.message);
    if (link !== undefined) line.push(words === undefined ? link : hyperlink(words, link));
    else if (words !== undefined) line.push(words);
  }
  const named = line.length > MOST_NAMED ? [...line.slice(0, MOST_NAMED - 1), '…', ...line.slice(-1)] : line;
  return named.length === 0 ? undefined : named.join(' ← ');
}

/**
 * The request that began with the picture of a member's own from which, picture by picture, this one was made;
 * undefined where there is none, or what lies between is not known any more.
 */
export async function originOf(job: Job, find: FindJob): Promise<Job | undefined> {
  if (job.input?.own) return job;
  for await (const { parent } of linksBack(job, find)) if (parent?.input?.own) return parent;
  return undefined;
}
