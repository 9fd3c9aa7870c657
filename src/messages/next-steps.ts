import type { APIStringSelectComponent } from 'discord-api-types/v10';
import type { KeyOwner } from '../credentials/key-owner.ts';
import type { Job } from '../jobs/job.ts';
import type { Button } from './buttons.ts';
import type { Texts } from './locale/en.ts';

export type ReportAction = 'delete' | 'block' | 'dismiss';

/** What can be done next under a refusal, an error or a finished job: buttons of the commands that declare them. */
interface NextSteps {
  /** Opens the form that links a key; what is kept under `draftId` then goes on. */
  linkKey(owner: KeyOwner['kind'], texts: Texts, draftId?: string): Button;
  /** Opens the form that makes a key and links it; likewise. */
  createKey(texts: Texts, draftId?: string): Button;
  /** Makes a picture of the nth prompt of the examples. */
  tryExample(nth: number, texts: Texts): Button;
  /** Shows a member's own defaults. */
  openSettings(texts: Texts): Button;
  showBalance(texts: Texts): Button;
  /** Submits once more what a job was asked for. */
  again(jobId: string, label: string): Button;
  /** Cancels a job that is under way. Its id is not in the button as it is: what holds it shows an outcome. */
  cancel(jobId: string, texts: Texts): Button;
  /** Makes further pictures from the words of one, with other seeds. */
  vary(jobId: string, task: number, howMuch: 'subtly' | undefined, texts: Texts): Button;
  /** Makes one picture of a job twice as large. */
  upscale(jobId: string, task: number, texts: Texts): Button;
  /** Opens the form with what a job was asked for. */
  edit(jobId: string, texts: Texts): Button;
  /** The menu in which one of several pictures is picked, to do something with it. */
  pick(job: Job, texts: Texts): APIStringSelectComponent;
  /** Shows everybody what was private. */
  publish(jobId: string, texts: Texts): Button;
  /** Shows here what waits for its member, or what Discord has shown nobody but them. */
  show(jobId: string, label: string): Button;
  /** Shows how a job's pictures were made, and what else can be done with them. */
  more(job: Pick<Job, 'id' | 'member'>, texts: Texts): Button;
  /** `shown`: how many complaints stand above it. */
  resolveReport(action: ReportAction, jobId: string, shown: number, texts: Texts): Button;
  /** Shows the next report that waits for a moderator. */
  showReports(texts: Texts): Button;
  showPrompt(jobId: string, texts: Texts): Button;
}

/** What can be made of the pictures of a job. */
export interface OfferedActions {
  /** Twice as large. */
  upscales: boolean;
  /** Varied from the picture itself. */
  varies: boolean;
}

/** Those that there are: without its command a next step is not offered. */
export type OfferedSteps = Partial<NextSteps> & {
  /** What the image service, and the server of the job, let be made of its pictures; nothing unless given. */
  actionsOf?: (job: Job) => Promise<OfferedActions>;
};

export const nextStepsOf = (commands: readonly { nextSteps?: OfferedSteps }[]): OfferedSteps =>
  Object.assign({}, ...commands.map(({ nextSteps }) => nextSteps));
