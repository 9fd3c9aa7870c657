import type { FormOptions } from '../../src/bot/command.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { readEditForm, showEditForm } from './edit-form.ts';
import type { Invocation } from './invocation.ts';
import { makeableOf, OWN } from './makings.ts';
import { request } from './request.ts';

/** Of a picture of one's own, kept as a draft. */
export const changeButton = (draftId: string, { source }: Texts) =>
  button.primary(source.change, customId('imagine', 'change', draftId));

/** Opens the form in which words say what a picture of one's own becomes. */
export async function openChangeForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const [draftId = ''] = invocation.options;
  await makeableOf(draftId, OWN, invocation);
  const { title } = invocation.texts.source.form;
  await showEditForm(customId('imagine', 'change', draftId), { prompt: '' }, invocation, { title });
}

export async function submitChangeForm(invocation: Invocation<FormOptions>): Promise<void> {
  const [draftId = ''] = invocation.options.args;
  const { input } = await makeableOf(draftId, OWN, invocation);
  await request(invocation, { ...readEditForm(invocation.options), source: { operation: 'edit', input } });
}
