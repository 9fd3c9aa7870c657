import { refusalOf } from '../../src/bot/explain-error.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import type { Invocation } from './invocation.ts';

/** Keeps what was typed as the draft of this interaction. Says whether it is kept; never rejects. */
export const keepTyped = (
  { caller, context }: Invocation,
  options: ImagineOptions,
  from: Omit<Draft, 'options'>,
): Promise<boolean> =>
  context.requests.drafts.put(caller.interaction.id, caller.member.id, { options, ...from });

/** Does `work`. Where it is refused, what was typed is kept, and the `UserError` offers to change it. */
export async function orKeep<Result>(
  invocation: Invocation,
  typed: ImagineOptions,
  from: Omit<Draft, 'options'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const { texts, context } = invocation;
    const refusal = refusalOf(cause, texts, context.nextSteps);
    if (!refusal) throw cause;
    const goesOn = refusal.isKept && refusal.nextSteps.some(Boolean);
    if (goesOn || !(await keepTyped(invocation, typed, from))) throw refusal;
    throw new UserError(refusal.message, {
      cause,
      nextSteps: refusal.isOfPlace
        ? [...refusal.nextSteps, draftButton(invocation, { look: 'secondary' })]
        : [draftButton(invocation), ...refusal.nextSteps],
    });
  }
}

export const draftButton = (
  { caller, texts }: Invocation,
  { label = texts.editForm.edit, look = 'primary' }: { label?: string; look?: keyof typeof button } = {},
) => button[look](label, customId('imagine', 'draft', caller.interaction.id));
