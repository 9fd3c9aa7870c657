import type {
  Action,
  ActionResult,
  ChannelView,
  PageEvent,
  UserClientErrorBody,
} from '../page-server/protocol.ts';
import { sayRefusal } from '../user-client/refusals.ts';
import type { Words } from './words/en.ts';

/** For the response to one request: a bot has 3 s, and a large file takes a while to upload. */
const ACTION_TIMEOUT_MS = 30_000;
/** Delay before a reconnect, doubled after each failure. */
const RECONNECT_MS = { min: 500, max: 5_000 };

/**
 * A browser opens six connections to a host, and each tab holds one: with the sixth, no tab could send anything. So
 * with so many tabs those close theirs that are hidden. https://developer.mozilla.org/docs/Web/API/EventSource
 */
const MOST_TABS = 5;
/** For how long, and how often a hidden tab looks whether there are so many. */
const HIDDEN_MS = 60_000;
/** Each tab holds this lock beside the others, which can be counted. */
const TAB = 'tab';

/** The server refused a request, or cannot be reached. `message` is for the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** Name of the option that is invalid. */
  readonly field: string | null;
  /** The server could not be reached. */
  readonly offline: boolean;

  constructor(
    message: string,
    { field = null, offline = false }: Partial<Pick<RequestError, 'field' | 'offline'>> = {},
  ) {
    super(message);
    this.field = field;
    this.offline = offline;
  }
}

export type Connection = ReturnType<typeof createConnection>;

/** Server-sent events come in, requests go out. Reconnects by itself. */
export function createConnection(options: {
  onEvent(event: PageEvent): void;
  onOnline(online: boolean): void;
  /** Interaction of the form that the page had open before it was loaded again. */
  openModal(): string | null;
  words(): Words;
  /** How numbers are written. */
  locale(): string;
}) {
  let currentUser = '';
  /** When this page was opened, by the server's clock. */
  let openedAt: number | undefined;
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let delay = RECONNECT_MS.min;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  }

  function open(): void {
    close();
    const modal = options.openModal();
    const opened = new EventSource(
      `/page/users/${currentUser}/events${modal ? `?modal=${encodeURIComponent(modal)}` : ''}`,
    );
    source = opened;
    opened.onmessage = ({ data }) => {
      delay = RECONNECT_MS.min;
      options.onOnline(true);
      // The server sends a PageEvent: both sides share protocol.ts.
      const event = JSON.parse(data) as PageEvent;
      if (event.type === 'snapshot') openedAt ??= event.now;
      options.onEvent(event);
    };
    opened.onerror = () => {
      // EventSource does not reconnect after every kind of error.
      opened.close();
      if (source !== opened) return;
      options.onOnline(false);
      retry = setTimeout(open, delay);
      delay = Math.min(delay * 2, RECONNECT_MS.max);
    };
  }

  // Until the tab is closed. Without a secure context there are no locks, and nobody counts.
  void navigator.locks?.request(TAB, { mode: 'shared' }, () => new Promise(() => undefined));

  async function closeAmongMany(): Promise<void> {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    if (document.visibilityState !== 'hidden') return;
    if (held.filter(({ name }) => name === TAB).length >= MOST_TABS) close();
    else pause = setTimeout(closeAmongMany, HIDDEN_MS);
  }

  function followVisibility(): void {
    clearTimeout(pause);
    if (document.visibilityState === 'hidden') pause = setTimeout(closeAmongMany, HIDDEN_MS);
    else if (!source && currentUser) open();
  }
  document.addEventListener('visibilitychange', followVisibility);

  async function request<T>(path: string, init?: RequestInit): Promise<T> {
    let response: Response;
    try {
      response = await fetch(`/page/users/${currentUser}/${path}`, {
        ...init,
        signal: AbortSignal.timeout(ACTION_TIMEOUT_MS),
      });
    } catch {
      throw new RequestError(options.words().connection.noAnswer, { offline: true });
    }
    // As above, by protocol.ts.
    const body = (await response.json().catch(() => null)) as T | UserClientErrorBody | null;
    if (response.ok) return body as T;
    const error = body as UserClientErrorBody | null;
    const said = error?.refusal
      ? sayRefusal(options.words().refusals, error.refusal, options.locale())
      : error?.message;
    throw new RequestError(said ?? options.words().connection.answered(response.status), {
      field: error?.field ?? null,
    });
  }

  /** Follows this user from now on: a new `snapshot` event comes. */
  function connect(userId: string): void {
    currentUser = userId;
    delay = RECONNECT_MS.min;
    open();
    followVisibility();
  }

  return {
    connect,
    /** Does not wait for the next attempt to reconnect. */
    retry: () => connect(currentUser),
    /** @throws {RequestError} */
    runAction: <Name extends Action['do']>(
      action: Extract<Action, { do: Name }>,
    ): Promise<ActionResult[Name]> =>
      request('actions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(action),
      }),
    /** Without `before`, the newest messages. @throws {RequestError} */
    channel: (channelId: string, before?: string): Promise<ChannelView> =>
      request(`channels/${channelId}?openedAt=${openedAt ?? 0}${before ? `&before=${before}` : ''}`),
  };
}
