import { unfurls } from '../rules/unfurls.ts';
import type { EventBus } from './event-bus.ts';
import type { State } from './state.ts';

/** The oldest are forgotten, so that a local Discord may run for weeks. */
const KEPT = 1_000;

/** Keeps what Discord would have shown below the messages of bots, for tests to look at. */
export function watchUnfurled(state: State, events: EventBus): () => string[] {
  const seen: string[] = [];
  events.subscribe((event) => {
    if (event.type !== 'message-created' && event.type !== 'message-updated') return;
    const { message } = event;
    if (!message.webhook && !state.users.get(message.authorId)?.bot) return;
    seen.push(...unfurls(message));
    seen.splice(0, seen.length - KEPT);
  });
  return () => [...seen];
}
