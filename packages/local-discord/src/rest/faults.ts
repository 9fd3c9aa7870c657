import type { RequestRecord } from './requests.ts';

/** What of a request a fault goes by. */
type Asked = Pick<RequestRecord, 'method' | 'path' | 'hasFiles'>;

/** What goes wrong instead of an answer, or on top of it. */
export type FaultKind =
  /** No answer ever, until the bot gives up or the local Discord closes. */
  | 'hang'
  /** The connection is reset before anything is done. */
  | 'reset'
  /** The work is done, then the connection is reset: the bot cannot know. */
  | 'answer-lost'
  /** The work is done after `slowMs` milliseconds of the local Discord's clock, also where the bot has given up. */
  | { slowMs: number }
  /** Nothing is done, this is answered. Without `body`: an empty one. */
  | { status: number; body?: unknown; headers?: Record<string, string> };

/** A call that can be told from all others that may come meanwhile. */
export interface Call {
  /** In upper case. */
  method: string;
  path: RegExp;
  /** Whether it brings files, such as a picture, or words alone. */
  hasFiles: boolean;
}

type Fault = { effect: FaultKind } & (
  | {
      /** Meets every such request, until it is cleared. */
      every: (request: Asked) => boolean;
    }
  | {
      /** Meets this call alone, so that no other uses the fault up. */
      next: Call;
      /** How often; 1 unless given. */
      times?: number;
    }
);

/**
 * Faults that tests inject into the REST API, and into the gateway's upgrade, which may hang, be reset, or be refused
 * with a status. The first that fits is used.
 */
export function createFaults() {
  const faults: { fault: Fault; left: number }[] = [];

  return {
    add(fault: Fault): void {
      faults.push({ fault, left: 'next' in fault ? (fault.times ?? 1) : Number.POSITIVE_INFINITY });
    },
    clear(): void {
      faults.length = 0;
    },
    next(request: Asked): FaultKind | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && meets(fault, request));
      if (found) found.left--;
      return found?.fault.effect;
    },
  };
}

function meets(fault: Fault, asked: Asked): boolean {
  if ('every' in fault) return fault.every(asked);
  const { method, path, hasFiles } = fault.next;
  return asked.method === method && path.test(asked.path) && asked.hasFiles === hasFiles;
}

export type Faults = ReturnType<typeof createFaults>;
