import { ButtonStyle } from 'discord.js';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';

/** Under a question about what is kept as a draft: goes on with it, changes it, or leaves it. */
export const confirmRows = (draftId: string, { confirm, editForm }: Texts, { mayMake = true } = {}) =>
  rowsOf(
    mayMake ? button(ButtonStyle.Primary, confirm.make, customId('imagine', 'make', draftId)) : undefined,
    button(ButtonStyle.Secondary, editForm.edit, customId('imagine', 'draft', draftId)),
    button(ButtonStyle.Secondary, confirm.cancel, customId('imagine', 'drop', draftId)),
  );
