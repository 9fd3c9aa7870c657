import type { KeyOwner } from '../credentials/key-owner.ts';
import type { Job } from '../jobs/job.ts';
import type { Button } from './buttons.ts';
import type { Texts } from './locale/en.ts';

/** What can be done next under a refusal, an error or a finished job, each a button of the command that declares it. */
interface NextSteps {
  /** Opens the form that links a key; what is kept under `draftId` then goes on. */
  linkKey(owner: KeyOwner['kind'], texts: Texts, draftId?: string): Button;
  /** Opens the form that makes a key and links it; likewise. */
  createKey(texts: Texts, draftId?: string): Button;
  /** Makes a picture of the nth prompt of the examples. */
  tryExample(nth: number, texts: Texts): Button;
  /** Shows a member's own defaults. */
  openSettings(texts: Texts): Button;
  /** Shows the credits that are left. */
  showBalance(texts: Texts): Button;
  /** Submits once more what a job was asked for. */
  repeat(jobId: string, label: string): Button;
  /** Cancels a job that is under way. Its id is not in the button as it is: what holds it shows an outcome. */
  cancel(jobId: string, texts: Texts): Button;
  /** Opens the form with what a job was asked for. */
  edit(jobId: string, texts: Texts): Button;
  /** Likewise with the seed of one of its pictures. */
  vary(jobId: string, task: number, label: string): Button;
  /** Shows one of several pictures in a message of its own. */
  showOnly(jobId: string, task: number, label: string): Button;
  showDetails(jobId: string, texts: Texts): Button;
  /** Shows everybody what was private. */
  publish(jobId: string, texts: Texts): Button;
  /** Shows the buttons that do not fit under the message of a job. */
  more(job: Pick<Job, 'id' | 'member'>, texts: Texts): Button;
  /** Shows the whole prompt of a job to who presses it. */
  showPrompt(jobId: string, texts: Texts): Button;
  /** Deletes the message that it stands under, for this member and for moderators. */
  deleteMessage(memberId: string, texts: Texts): Button;
}

/** Those that there are: without its command a next step is not offered. */
export type OfferedSteps = Partial<NextSteps>;

export const nextStepsOf = (commands: readonly { nextSteps?: OfferedSteps }[]): OfferedSteps =>
  Object.assign({}, ...commands.map(({ nextSteps }) => nextSteps));
