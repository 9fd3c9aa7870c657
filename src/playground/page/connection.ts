import type { Action, ActionReply, ChannelView, PageEvent, RefusalBody } from '../wire.ts';

/** How long the page waits for the answer to one action: a bot has 3 s, a large picture takes a while to send. */
const ACTION_TIMEOUT_MS = 30_000;
/** How long after a lost connection the page tries again, doubling up to the last one. */
const RECONNECT_MS = { first: 500, last: 5_000 };

/** The playground would not do it, or is not there. `message` is for the person who tried. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The option that is in the way. */
  readonly field: string | null;
  /** True only until the playground is there again. */
  readonly offline: boolean;

  constructor(
    message: string,
    { field = null, offline = false }: Partial<Pick<Refused, 'field' | 'offline'>> = {},
  ) {
    super(message);
    this.field = field;
    this.offline = offline;
  }
}

export interface Connection {
  /** Sees the world as another person from now on: a new `hello` event follows. */
  become(personId: string): void;
  /** @throws {Refused} */
  act<Name extends Action['do']>(action: Extract<Action, { do: Name }>): Promise<ActionReply[Name]>;
  /** Without `before`, the newest messages. @throws {Refused} */
  channel(channelId: string, before?: string): Promise<ChannelView>;
}

/** The way to the playground's server: events come in, actions go out. Comes back by itself after a restart. */
export function createConnection(options: {
  onEvent(event: PageEvent): void;
  onOnline(online: boolean): void;
}): Connection {
  let person = '';
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let wait = RECONNECT_MS.first;

  function open(): void {
    clearTimeout(retry);
    source?.close();
    const opened = new EventSource(`/page/people/${person}/events`);
    source = opened;
    opened.onmessage = ({ data }) => {
      wait = RECONNECT_MS.first;
      options.onOnline(true);
      // What the server sends on this path is a PageEvent: both sides share wire.ts.
      options.onEvent(JSON.parse(data) as PageEvent);
    };
    opened.onerror = () => {
      // EventSource gives up for good after some kinds of error, so the page does the reconnecting.
      opened.close();
      if (source !== opened) return;
      options.onOnline(false);
      retry = setTimeout(open, wait);
      wait = Math.min(wait * 2, RECONNECT_MS.last);
    };
  }

  async function request<T>(path: string, init?: RequestInit): Promise<T> {
    let response: Response;
    try {
      response = await fetch(`/page/people/${person}/${path}`, {
        ...init,
        signal: AbortSignal.timeout(ACTION_TIMEOUT_MS),
      });
    } catch {
      throw new Refused('The playground does not answer. Is it still running?', { offline: true });
    }
    // The same server and wire.ts as above.
    const body = (await response.json().catch(() => null)) as T | RefusalBody | null;
    if (response.ok) return body as T;
    const refusal = body as RefusalBody | null;
    throw new Refused(refusal?.message ?? `The playground answered ${response.status}.`, {
      field: refusal?.field ?? null,
    });
  }

  return {
    become(personId) {
      person = personId;
      wait = RECONNECT_MS.first;
      open();
    },
    act: (action) =>
      request('actions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(action),
      }),
    channel: (channelId, before) => request(`channels/${channelId}${before ? `?before=${before}` : ''}`),
  };
}
