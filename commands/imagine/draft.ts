import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { customId } from '../../src/messages/buttons.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import { editForm, readEditForm } from './edit-form.ts';
import { listGraph } from './list-graph.ts';
import { askAbout } from './question.ts';
import { request } from './request.ts';

/** Opens the form with what was refused, or is not confirmed. */
export async function editDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, reply, texts } = invocation;
  const [id = ''] = options;
  const draft = await draftOf(id, invocation);
  await reply.showModal(
    editForm({ customId: customId('imagine', 'draft', id), options: draft.options, texts }),
  );
}

/** What was changed in it is another request. */
export async function submitDraft(invocation: Invocation<FormOptions>): Promise<void> {
  const [id = ''] = invocation.options.args;
  // Without it nobody knows whether there was a graph.
  const { parent, options: before } = await draftOf(id, invocation);
  const { graph } = before;
  const changed = { ...readEditForm(invocation.options), ...(graph && { graph }) };
  if (graph) await askAbout(listGraph(invocation, changed, graph, { parent }), invocation);
  else await request(invocation, changed, { parent });
}

/** Rejects with `UserError` where it is gone, or somebody else's. */
async function draftOf(id: string, { caller, texts, context }: Invocation<unknown>): Promise<Draft> {
  const draft = await context.drafts.find(id, caller.member.id);
  if (!draft) throw new UserError(texts.typed.draftGone);
  return draft;
}

/** Begins it as it is: what kept it from being made is no longer in the way. False where it is gone. */
export async function continueDraft(invocation: Invocation, id: string): Promise<boolean> {
  const { caller, context } = invocation;
  const draft = await context.drafts.find(id, caller.member.id);
  if (!draft) return false;
  await request(invocation, draft.options, { parent: draft.parent, draft: id });
  return true;
}
