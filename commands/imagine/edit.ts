import { createHash } from 'node:crypto';
import type { FormOptions } from '../../src/bot/command.ts';
import { completedTasks, type Job } from '../../src/jobs/job.ts';
import { isSeeded, takesValues } from '../../src/jobs/task-submission.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { parseFlags } from '../../src/requests/flags.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { changeIn, pictureFileIn, readEditForm, showEditForm } from './edit-form.ts';
import { changesOf, checkSeen, inputOf, ownPicture } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { orKeep } from './keep-typed.ts';
import { optionsOf } from './options-of-job.ts';
import { requestOnce } from './request.ts';
import { checkNotRemoved, isRemoved, parentOf, shownJob } from './shown-job.ts';

/** `task`: of the picture that is changed; of a message with one picture it goes without saying. */
export const editButton = (jobId: string, { actions }: Texts, task?: number) =>
  button.secondary(actions.edit, customId('imagine', 'edit', jobId, task));

export const openEditForm = (invocation: Invocation<readonly string[]>): Promise<void> =>
  openForm(invocation, invocation.options[0] ?? '', invocation.options[1]);

/**
 * Opens the form with what a job was asked for. `writtenTask`: the task whose picture is changed, as a custom id names
 * it.
 */
export async function openForm(invocation: Invocation, jobId: string, writtenTask?: string): Promise<void> {
  const job = await shownJob(invocation, jobId);
  const before = wordsOf(job);
  const options = withoutUsual(job.graph ? before : invocation.context.offers.effective(before));
  const task = changedTask(job, writtenTask);
  const isChanged = task !== undefined && (await changesOf(invocation, job)).length > 0;
  // Of what was deleted, the words may still be changed.
  const canChange = isChanged && !(await isRemoved(invocation, job, { task }));
  if (!canChange) checkTakesValues(invocation, job);
  const id = customId('imagine', 'edit', jobId, canChange ? task : undefined);
  await showEditForm(invocation, id, options, { canChange });
}

/**
 * What a job was asked for. Where words have no part in it, without the picture that it began with: the same would
 * come of it again.
 */
function wordsOf(job: Job): ImagineOptions {
  const options = optionsOf(job);
  return isSeeded(job.submission) ? options : { ...options, source: undefined };
}

/** Throws `UserError` where the same picture would be made, and paid for, whatever is typed. */
function checkTakesValues({ texts }: Invocation, job: Job): void {
  if (!takesValues(job)) throw new UserError(texts.graph.takesNothing);
}

/** Nobody likes to read in a form what goes without saying. */
const withoutUsual = ({ count, private: hidden, ...options }: ImagineOptions): ImagineOptions => ({
  ...options,
  count: count === 1 ? undefined : count,
  private: hidden || undefined,
});

/** The task whose picture is meant; undefined where it could be several. */
function changedTask(job: Job, writtenTask: string | undefined): number | undefined {
  const completed = completedTasks(job);
  return writtenTask === undefined
    ? completed.length === 1
      ? completed[0]
      : undefined
    : completed.find((task) => `${task}` === writtenTask);
}

/**
 * What was changed is another request: with what should change, or another picture, one that begins with a picture.
 * The graph of a job does not fit into a form, and stays.
 */
export async function submitEditForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, texts } = invocation;
  const [jobId = '', writtenTask] = options.args;
  const said = changeIn(options);
  const filledIn = readEditForm(invocation);
  const parts = [filledIn.prompt, said].filter((part) => part.trim() !== '');
  const alone = { ...filledIn, prompt: parts.join(', ') };
  const job = await orKeep(invocation, alone, {}, () => shownJob(invocation, jobId));
  const words = readEditForm(invocation, optionsOf(job));
  const file = pictureFileIn(options);
  const changed = said === '' && !file ? undefined : writtenTask;
  const parent = parentOf(invocation, job, changed === undefined ? undefined : Number(changed));
  let typed: ImagineOptions;
  if (changed === undefined) {
    checkTakesValues(invocation, job);
    await orKeep(invocation, alone, { lacksPicture: true }, () => checkSeen(invocation, job));
    const { source, size } = wordsOf(job);
    const isSized =
      writtenTask === undefined || parseFlags(`${words.prompt} ${words.flags ?? ''}`).options.size;
    typed = {
      ...words,
      ...(!isSized && { size }),
      graph: job.graph,
      source,
    };
  } else {
    const able = await changesOf(invocation, job);
    const { workflow = job.submission.workflow } = words;
    // The one that has drawn the picture was filled in.
    const isPicked = workflow !== job.submission.workflow;
    const offer = able.find(({ name }) => name === workflow) ?? (isPicked ? undefined : able[0]);
    // Who draws over a picture is told all of it, who is told what to do, that.
    const isTold = offer !== undefined && offer.operations.edit?.strength !== true;
    const prompt = said !== '' && isTold ? said : alone.prompt;
    const changing = { ...words, prompt, ...(offer && { workflow: offer.name }) };
    const input = await orKeep(invocation, changing, { lacksPicture: true }, async () =>
      file ? ownPicture(file, texts) : inputOf(invocation, job, Number(changed)),
    );
    typed = { ...changing, source: { operation: 'edit', input } };
  }
  const { source, ...unseen } = typed;
  if (source && !source.input.own) {
    const looked = { task: parent.task, afterForm: true };
    await orKeep(invocation, unseen, {}, () => checkNotRemoved(invocation, job, looked));
  }
  // What tells a press from others stays in memory: nothing that somebody typed may.
  const hashed = createHash('sha256').update(JSON.stringify([words, said, file?.url]));
  const pressed = ['edit', jobId, writtenTask ?? '', hashed.digest('base64url')];
  await requestOnce(invocation, pressed, typed, { parent });
}
