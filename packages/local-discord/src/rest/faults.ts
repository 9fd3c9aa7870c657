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
  /** The work is done after `slowMs` milliseconds of the local Discord's clock. */
  | { slowMs: number }
  /** Nothing is done, this is answered. Without `body`: an empty one. */
  | { status: number; body?: unknown; headers?: Record<string, string> };

export interface Fault {
  /** The method in upper case. */
  match: (request: Asked) => boolean;
  effect: FaultKind;
  /** How many requests it meets; 1 when absent, `Infinity` until it is cleared. */
  times?: number;
}

/** Faults that tests inject into the REST API. The first that matches is used. */
export function createFaults() {
  const faults: { fault: Fault; left: number }[] = [];

  return {
    add(fault: Fault): void {
      faults.push({ fault, left: fault.times ?? 1 });
    },
    clear(): void {
      faults.length = 0;
    },
    next(request: Asked): FaultKind | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && fault.match(request));
      if (found) found.left--;
      return found?.fault.effect;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
