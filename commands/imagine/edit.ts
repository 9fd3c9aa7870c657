import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import type { ImagineOptions } from '../../src/requests/options.ts';
import { readEditForm, showEditForm } from './edit-form.ts';
import type { Invocation } from './invocation.ts';
import { parentOf } from './parent.ts';
import { optionsOf, request } from './request.ts';
import { shownJob } from './shown-job.ts';

/** Opens the form with what a job was asked for. */
export const openEditForm = (invocation: Invocation<readonly string[]>): Promise<void> =>
  openForm(invocation.options[0] ?? '', invocation);

export async function openForm(jobId: string, invocation: Invocation): Promise<void> {
  const { context } = invocation;
  const job = await shownJob(jobId, invocation);
  const before = optionsOf(job);
  const options = withoutUsual(job.graph ? before : context.offers.effective(before));
  await showEditForm(customId('imagine', 'edit', jobId), options, invocation);
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
  const [jobId = ''] = options.args;
  const job = await shownJob(jobId, invocation);
  const typed = { ...readEditForm(options, optionsOf(job)), ...(job.graph && { graph: job.graph }) };
  const parent = parentOf(job, invocation);
  const key = [caller.member.id, 'edit', jobId, JSON.stringify(typed)].join(':');
  if (!(await context.pictures.presses.once(key, () => request(invocation, typed, { parent }))))
    await reply.acknowledge();
}
