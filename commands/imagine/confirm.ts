import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { request } from './request.ts';

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
