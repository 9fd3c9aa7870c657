import type { Invocation } from '../../src/bot/command.ts';

/** Begins what a member had asked for before they had a key, in a message beside the one that says that it is linked. */
export async function goOn(invocation: Invocation, draftId: string | undefined): Promise<void> {
  const { caller, context, reply, texts } = invocation;
  if (draftId === undefined || !context.continueDraft) return;
  reply.beginAnew({ content: texts.progress.submitting });
  const interaction = { ...caller.interaction, followUp: true as const };
  await context.continueDraft({ ...invocation, caller: { ...caller, interaction } }, draftId);
}
