import type { Job } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import { truncate, verbatim } from '../messages/message.ts';

const HEADLINE_CHARACTERS = 200;

/** The prompt as it was typed; of a graph, which has none, that it is one. */
export const promptText = ({ submission: { prompt } }: Job, texts: Texts): string =>
  typeof prompt === 'string' ? prompt : texts.picture.graphPrompt;

/** The prompt in one line of at most `limit` characters, its markdown shown as it was typed. */
export const headline = (job: Job, texts: Texts, limit = HEADLINE_CHARACTERS): string =>
  truncate(verbatim(promptText(job, texts).replace(/\s+/g, ' ')), limit);
