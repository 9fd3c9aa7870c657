import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import type { ImagineOptions } from '../../src/requests/options.ts';
import { editForm, readEditForm } from './edit-form.ts';
import { parentOf } from './parent.ts';
import { optionsOf, request } from './request.ts';
import { shownJob } from './shown-job.ts';

/** Opens the form with what a job was asked for. */
export const openEditForm = (invocation: Invocation<readonly string[]>): Promise<void> =>
  openForm(invocation.options[0] ?? '', invocation);

/** Likewise with the seed and the words of one of its pictures. */
export function openVaryForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const [jobId = '', task = ''] = invocation.options;
  return openForm(jobId, invocation, Number(task));
}

export async function openForm(jobId: string, invocation: Invocation, task?: number): Promise<void> {
  const { reply, texts } = invocation;
  const job = await shownJob(jobId, invocation);
  const which = task === undefined ? [jobId] : [jobId, `${task}`];
  const form = editForm({
    customId: customId('imagine', 'edit', ...which),
    options: withoutUsual(optionsOf(job, task === undefined ? {} : { task })),
    texts,
  });
  await reply.showModal({ ...form, ...(task !== undefined && { title: texts.actions.vary }) });
}

/** Nobody likes to read in a form what goes without saying. */
const withoutUsual = ({ count, private: hidden, ...options }: ImagineOptions): ImagineOptions => ({
  ...options,
  ...(count !== 1 && count !== undefined && { count }),
  ...(hidden && { private: true }),
});

/** What was changed is another request. The graph of a job does not fit into a form, and stays. */
export async function submitEditForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, caller, reply, context } = invocation;
  const [jobId = '', task] = options.args;
  const job = await shownJob(jobId, invocation);
  const nth = task === undefined ? undefined : Number(task);
  const before = optionsOf(job, nth === undefined ? {} : { task: nth });
  const typed = { ...readEditForm(options, before), ...(job.graph && { graph: job.graph }) };
  const parent = parentOf(job, invocation, nth);
  const key = [caller.member.id, 'edit', jobId, task, JSON.stringify(typed)].join(':');
  if (!(await context.presses.once(key, () => request(invocation, typed, { parent }))))
    await reply.acknowledge();
}
