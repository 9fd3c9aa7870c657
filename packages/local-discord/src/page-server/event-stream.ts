import type { UserClient, UserClientEvent } from '../user-client/user-client.ts';
import type { Bot, PageEvent, PageUser, Panel, Snapshot } from './protocol.ts';

/** Debounce: how long after a message the panel is read again, in milliseconds. */
const PANEL_DEBOUNCE_MS = 400;

/** What a page shows that does not come from the user client. */
export interface PageSource {
  users(): PageUser[];
  bots(): Bot[];
  panel(userId: string): Promise<Panel | null>;
  suggestedCommand: string | null;
  examples: readonly string[];
  title: string;
  notice: string;
}

/**
 * Sends one page everything that its user sees, first a `snapshot`, until the returned function is called. `modalId`: the
 * interaction whose form the page shows.
 */
export async function streamEvents(
  client: UserClient,
  source: PageSource,
  send: (event: PageEvent) => void,
  modalId?: string,
): Promise<() => void> {
  const userId = client.user.id;
  let panel = await source.panel(userId).catch(() => null);
  let panelTimer: NodeJS.Timeout | undefined;

  const visibleChannels = () => ({ guilds: client.guilds(), directMessages: client.directMessages() });

  async function refreshPanel(): Promise<void> {
    const latest = await source.panel(userId).catch(() => panel);
    if (JSON.stringify(latest) === JSON.stringify(panel)) return;
    panel = latest;
    send({ type: 'panel', panel });
  }

  function forward(event: UserClientEvent): void {
    if (event.type === 'guilds-changed') send({ type: 'channels', ...visibleChannels() });
    if (event.type === 'commands-changed') send({ type: 'bots', bots: source.bots() });
    send(event);
    if (event.type === 'message-created' || event.type === 'message-updated') {
      clearTimeout(panelTimer);
      panelTimer = setTimeout(() => void refreshPanel(), PANEL_DEBOUNCE_MS);
      panelTimer.unref();
    }
  }

  const snapshot: Snapshot = {
    type: 'snapshot',
    title: source.title,
    notice: source.notice,
    suggestedCommand: source.suggestedCommand,
    users: source.users(),
    examples: source.examples,
    userId,
    locale: client.locale,
    ...visibleChannels(),
    bots: source.bots(),
    panel,
    openModal: (modalId !== undefined && client.openModal(modalId)) || null,
  };
  send(snapshot);
  const unsubscribe = client.subscribe(forward);
  return () => {
    clearTimeout(panelTimer);
    unsubscribe();
  };
}
