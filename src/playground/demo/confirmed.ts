import type { InteractionResult, UserClient } from 'local-discord';

/** What is answered to a request, after *Make* where the bot asked first; then the answer to that. */
export async function confirmed(answer: InteractionResult, user: UserClient): Promise<InteractionResult> {
  if (answer.kind !== 'message') return answer;
  const [make] = /imagine:make:\d+/.exec(JSON.stringify(answer.message.components ?? [])) ?? [];
  return make === undefined ? answer : user.press(answer.message.id, make);
}
