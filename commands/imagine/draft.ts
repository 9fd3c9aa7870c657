import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import { beginWith } from './begin-with.ts';
import { graphFileIn, graphNameIn, pictureFileIn, readEditForm, showEditForm } from './edit-form.ts';
import type { Invocation } from './invocation.ts';
import { orKeep } from './keep-typed.ts';
import { askAbout, describeBegun } from './question.ts';
import { request, requestOnce } from './request.ts';
import { reviewFile, reviewGraph, withKeptGraph } from './review-graph.ts';

/** Opens the form with what was refused, or is not confirmed. */
export async function editDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const [id = ''] = invocation.options;
  const { options, parent: _, ...variant } = await draftOf(invocation, id);
  await showEditForm(invocation, customId('imagine', 'draft', id), options, variant);
}

/** What was changed in it is another request. */
export async function submitDraft(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, texts } = invocation;
  const [id = ''] = options.args;
  const words = readEditForm(invocation);
  const file = pictureFileIn(options);
  const graphName = graphNameIn(options);
  if (file) return beginWith(invocation, words, file, { graphName });
  const graphFile = graphFileIn(options);
  if (graphFile) return askAbout(invocation, reviewFile(invocation, words, graphFile));
  if (graphName !== undefined) return request(invocation, await withKeptGraph(invocation, words, graphName));
  // Without it nobody knows whether there was a graph, or a picture: only the words are there.
  const draft = await orKeep(invocation, words, {}, () => draftOf(invocation, id, texts.typed.onlyWords));
  const { parent, lacksPicture, lacksGraph } = draft;
  if (lacksGraph) throw new UserError(texts.editForm.attachGraph);
  const { graph, source } = draft.options;
  const changed = { ...words, graph, source };
  if (graph) await askAbout(invocation, reviewGraph(invocation, changed, graph, { parent }));
  else await request(invocation, changed, { parent, lacksPicture });
}

/** Rejects with `UserError`, which says `gone`, where it is gone, or somebody else's. */
async function draftOf(
  { caller, texts, context }: Invocation,
  id: string,
  gone = texts.typed.draftGone,
): Promise<Draft> {
  const draft = await context.requests.drafts.find(id, caller.member.id);
  if (!draft) throw new UserError(gone);
  return draft;
}

/** Begins it as it is: what kept it from being made is no longer in the way. Rejects as `draftOf` does. */
export async function continueDraft(invocation: Invocation, id: string): Promise<void> {
  const { options, parent } = await draftOf(invocation, id);
  await request(invocation, options, { parent, draft: id });
}

export async function makeDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const [id = ''] = invocation.options;
  const { options, parent } = await draftOf(invocation, id);
  await requestOnce(invocation, ['make', id], options, { parent, confirmed: id });
}

/** Leaves it; where it was made meanwhile, says what has become of it. */
export async function dropDraft(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [id = ''] = options;
  const made = await context.pictures.tracker.find(id);
  const isMade = made?.member.id === caller.member.id;
  await reply.update(isMade ? await describeBegun(invocation, id) : { content: texts.confirm.dropped });
}
