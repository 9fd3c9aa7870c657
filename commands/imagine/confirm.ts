import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { request } from './request.ts';

/** Under a question about what is kept as a draft: goes on with it, changes it, or leaves it. */
export const confirmRows = (draftId: string, { confirm, editForm }: Texts, { mayMake = true } = {}) =>
  rowsOf(
    mayMake ? button(ButtonStyle.Primary, confirm.make, customId('imagine', 'make', draftId)) : undefined,
    button(ButtonStyle.Secondary, editForm.edit, customId('imagine', 'draft', draftId)),
    button(ButtonStyle.Secondary, confirm.cancel, customId('imagine', 'drop', draftId)),
  );

/** Makes what was asked about; pressed twice in a moment, once. */
export async function makeDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [id = ''] = options;
  const draft = await context.drafts.find(id, caller.member.id);
  if (!draft) throw new UserError(texts.typed.draftGone);
  const make = () => request(invocation, draft.options, { parent: draft.parent, confirmed: id });
  if (!(await context.presses.once(`${caller.member.id}:make:${id}`, make))) await reply.acknowledge();
}

/** Leaves it. The draft is forgotten within a day. */
export async function dropDraft({ reply, texts }: Invocation<readonly string[]>): Promise<void> {
  await reply.update({ content: texts.confirm.dropped });
}
