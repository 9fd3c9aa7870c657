import { button, customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import type { Invocation } from './invocation.ts';

/**
 * Reads what was `typed` into a form. Where that is refused, it is kept: `UserError` offers the button `form` (its
 * name and what stands behind it in its custom id), which opens the form with the draft that it names.
 */
export async function orKeep<Read>(
  { caller, texts, context }: Invocation,
  typed: ImagineOptions,
  form: readonly [name: string, ...args: (string | undefined)[]],
  read: () => Read | Promise<Read>,
): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    const { id } = caller.interaction;
    const isKept =
      error instanceof UserError &&
      (await context.requests.drafts.put(id, caller.member.id, { options: typed }));
    if (!isKept) throw error;
    const nextStep = button.primary(texts.editForm.edit, customId('settings', ...form, id));
    throw new UserError(error.message, { nextSteps: [nextStep] });
  }
}

export const keptTyped = async (
  { caller, context }: Invocation,
  draftId: string | undefined,
): Promise<ImagineOptions | undefined> =>
  draftId === undefined
    ? undefined
    : (await context.requests.drafts.find(draftId, caller.member.id))?.options;
