import type { Hand, HandEvent } from '../local-discord/hand/hand.ts';
import type { Bot, Hello, PageEvent, Person, ServiceAccount } from './wire.ts';

/** How long after something has happened in the chat the account is read again, in milliseconds. */
const ACCOUNT_PAUSE_MS = 400;

export interface Surroundings {
  people(): Person[];
  bots(): Bot[];
  account(personId: string): Promise<ServiceAccount | null>;
}

/** Tells one page everything that its person sees, beginning with a `hello`, until the returned function is called. */
export async function follow(
  hand: Hand,
  surroundings: Surroundings,
  tell: (event: PageEvent) => void,
): Promise<() => void> {
  const personId = hand.user.id;
  const waiting: HandEvent[] = [];
  let greeted = false;
  let account = await surroundings.account(personId);
  let timer: NodeJS.Timeout | undefined;

  const around = () => ({ guilds: hand.guilds(), directMessages: hand.directMessages() });

  async function readAccount(): Promise<void> {
    const now = await surroundings.account(personId).catch(() => account);
    if (JSON.stringify(now) === JSON.stringify(account)) return;
    account = now;
    tell({ type: 'account', account });
  }

  function pass(event: HandEvent): void {
    if (event.type === 'guilds-changed') tell({ type: 'surroundings', ...around() });
    if (event.type === 'commands-changed') tell({ type: 'bots', bots: surroundings.bots() });
    tell(event);
    if (event.type === 'message-created' || event.type === 'message-updated') {
      clearTimeout(timer);
      timer = setTimeout(() => void readAccount(), ACCOUNT_PAUSE_MS);
      timer.unref();
    }
  }

  const unwatch = hand.watch((event) => {
    if (greeted) pass(event);
    else waiting.push(event);
  });
  const hello: Hello = {
    type: 'hello',
    people: surroundings.people(),
    personId,
    ...around(),
    bots: surroundings.bots(),
    account,
    openModal: hand.openModal() ?? null,
  };
  tell(hello);
  greeted = true;
  for (const event of waiting) pass(event);
  return () => {
    clearTimeout(timer);
    unwatch();
  };
}
