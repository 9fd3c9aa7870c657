import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { ImagineOptions, Parent } from '../../src/requests/options.ts';
import type { Terms } from './terms.ts';
import { readWanted, type Wanted } from './wanted.ts';

interface From {
  parent?: Parent | undefined;
}

/** Keeps what was typed as the draft of this interaction. Says whether it is kept; never rejects. */
export const keepTyped = (
  options: ImagineOptions,
  { caller, context }: Invocation,
  { parent }: From,
): Promise<boolean> =>
  context.drafts.put(caller.interaction.id, caller.member.id, { options, ...(parent && { parent }) });

/** What was typed, read. Where it is typed wrong, or not allowed here, it is kept: `UserError` offers to mend it. */
export async function readOrKeep(
  typed: ImagineOptions,
  terms: Terms,
  invocation: Invocation,
  from: From,
): Promise<Wanted> {
  try {
    return readWanted(typed, terms, invocation, { exact: from.parent !== undefined });
  } catch (error) {
    if (error instanceof UserError && (await keepTyped(typed, invocation, from))) {
      throw new UserError(error.message, { nextStep: editButton(invocation) });
    }
    throw error;
  }
}

/** Opens the form with what was typed. */
const editButton = ({ caller, texts }: Invocation) =>
  button(ButtonStyle.Primary, texts.editForm.edit, customId('imagine', 'draft', caller.interaction.id));
