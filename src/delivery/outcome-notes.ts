import type { Job } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';

/** What is to be said below the picture, in small print, line by line. */
export const outcomeNotes = (_job: Job, _texts: Texts): string[] => [];
