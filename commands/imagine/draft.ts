import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import { attachedGraph, attachedPicture, namedGraph, readEditForm, showEditForm } from './edit-form.ts';
import type { Invocation } from './invocation.ts';
import { listFile, listGraph, withKeptGraph } from './list-graph.ts';
import { askAbout } from './question.ts';
import { request, requestOnce } from './request.ts';
import { beginWith } from './use-picture.ts';

/** Opens the form with what was refused, or is not confirmed. */
export async function editDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const [id = ''] = invocation.options;
  const { options, parent: _, ...variant } = await draftOf(id, invocation);
  await showEditForm(customId('imagine', 'draft', id), options, invocation, variant);
}

/** What was changed in it is another request. */
export async function submitDraft(invocation: Invocation<FormOptions>): Promise<void> {
  const [id = ''] = invocation.options.args;
  // Without it nobody knows whether there was a graph, or a picture.
  const { parent, lacksPicture, lacksGraph, graphName, options: before } = await draftOf(id, invocation);
  const { graph, source } = before;
  const words = readEditForm(invocation.options);
  const file = attachedPicture(invocation.options);
  const named = namedGraph(invocation.options);
  if (file) return beginWith(invocation, words, file, { graphName: named });
  const graphFile = attachedGraph(invocation.options);
  if (lacksGraph && !graphFile) throw new UserError(invocation.texts.editForm.attachGraph);
  if (graphFile) return askAbout(listFile(invocation, words, graphFile), invocation);
  if (graphName !== undefined) return request(invocation, await withKeptGraph(invocation, words, named));
  const changed = { ...words, graph, source };
  if (graph) await askAbout(listGraph(invocation, changed, graph, { parent }), invocation);
  else await request(invocation, changed, { parent, lacksPicture });
}

/** Rejects with `UserError` where it is gone, or somebody else's. */
async function draftOf(id: string, { caller, texts, context }: Invocation<unknown>): Promise<Draft> {
  const draft = await context.requests.drafts.find(id, caller.member.id);
  if (!draft) throw new UserError(texts.typed.draftGone);
  return draft;
}

/** Begins it as it is: what kept it from being made is no longer in the way. Rejects as `draftOf` does. */
export async function continueDraft(invocation: Invocation, id: string): Promise<void> {
  const { options, parent } = await draftOf(id, invocation);
  await request(invocation, options, { parent, draft: id });
}

export async function makeDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const [id = ''] = invocation.options;
  const { options, parent } = await draftOf(id, invocation);
  await requestOnce(invocation, ['make', id], options, { parent, confirmed: id });
}
