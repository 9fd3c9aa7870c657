import type { UserClientEvent } from '../user-client/shapes.ts';
import type { UserClient } from '../user-client/user-client.ts';
import type { PageSource } from './page-source.ts';
import type { PageEvent, Panel } from './protocol.ts';

/** Debounce: how long after a message the panel is read again, in milliseconds. */
const PANEL_DEBOUNCE_MS = 400;

/**
 * Sends one page everything that its user sees, first a `snapshot`, until the returned function is called. `modalId`:
 * the interaction whose form the page shows.
 */
export function streamEvents(
  client: UserClient,
  source: PageSource,
  send: (event: PageEvent) => void,
  modalId?: string,
): () => void {
  const userId = client.user.id;
  let panel: Panel | null | undefined;
  let reads = 0;
  /** Of the reads, the one that `panel` comes from. */
  let newest = 0;
  let panelTimer: NodeJS.Timeout | undefined;

  const visibleChannels = () => ({ guilds: client.guilds(), directMessages: client.directMessages() });

  async function refreshPanel(): Promise<void> {
    const read = ++reads;
    const latest = await source.panel(userId, client.locale).catch(() => undefined);
    // An earlier answer may come later.
    if (latest === undefined || read < newest) return;
    newest = read;
    if (JSON.stringify(latest) === JSON.stringify(panel)) return;
    panel = latest;
    send({ type: 'panel', panel });
  }

  function forward(event: UserClientEvent): void {
    if (event.type === 'commands-changed') send({ type: 'bots', bots: source.bots() });
    send(event.type === 'guilds-changed' ? { type: 'channels', ...visibleChannels() } : event);
    if (event.type === 'locale-changed') {
      send({ type: 'host-words', ...source.words(client.locale) });
      void refreshPanel();
    }
    if (event.type === 'message-created' || event.type === 'message-updated') {
      clearTimeout(panelTimer);
      panelTimer = setTimeout(() => void refreshPanel(), PANEL_DEBOUNCE_MS);
      panelTimer.unref();
    }
  }

  send({
    type: 'snapshot',
    title: source.title,
    ...source.words(client.locale),
    suggestedCommand: source.suggestedCommand,
    now: source.now(),
    userId,
    locale: client.locale,
    ...visibleChannels(),
    bots: source.bots(),
    openModal: (modalId !== undefined && client.openModal(modalId)) || null,
  });
  void refreshPanel();
  const unsubscribe = client.subscribe(forward);
  return () => {
    clearTimeout(panelTimer);
    unsubscribe();
  };
}
