import type { Random, Streams } from '@darkroom/testing';
import { calls, tooMany } from '../../packages/local-discord/test/support/discord-faults.ts';

/** What goes wrong with a call. */
export type Fault =
  /** It is never answered. */
  | 'hang'
  /** The connection is reset before the request is handled. */
  | 'reset'
  /** The request is handled, then the connection is reset. */
  | 'response-lost'
  /** It is delayed by real milliseconds. */
  | { delayMs: number }
  | FaultResponse;

/** The request is not handled, and answered with this. */
export interface FaultResponse {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Faults with the probability of each. */
type FaultRates = readonly (readonly [probability: number, Fault])[];

const page = (status: number, title: string): Fault => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html>${title}</html>`,
});

const DISCORD_RATES: FaultRates = [
  [0.03, { status: 500, body: '' }],
  [0.02, page(502, 'Bad Gateway')],
  [0.01, page(404, 'Not Found')],
  [0.005, page(200, 'Back soon')],
  [0.03, 'reset'],
  [0.04, 'response-lost'],
  [0.03, { delayMs: 50 }],
  [0.02, tooMany(0.2)],
  [0.01, tooMany(1)],
];

/** Only where the bot has the time for its own timeout: the first answer to an interaction has not. */
const HANG = [0.01, 'hang'] as const;

export const DISCORD_FAULTS = {
  callback: DISCORD_RATES,
  reply: [...DISCORD_RATES, HANG],
  edit: [...DISCORD_RATES, HANG],
  // The one call that must not be repeated blindly, and a rare one.
  post: [[0.2, 'response-lost'], ...DISCORD_RATES, HANG],
  other: [...DISCORD_RATES, HANG],
} satisfies Record<string, FaultRates>;

const SERVICE_RATES: FaultRates = [
  [0.03, 'reset'],
  [0.02, page(502, 'Bad Gateway')],
  [0.01, { status: 429, headers: { 'retry-after': '1' }, body: { success: false, error: 'busy' } }],
  [0.04, 'response-lost'],
  [0.07, { delayMs: 50 }],
  [0.07, { delayMs: 250 }],
];

export const SERVICE_FAULTS = {
  submit: SERVICE_RATES,
  status: [...SERVICE_RATES, [0.01, page(404, 'Not Found')]],
  picture: SERVICE_RATES,
  other: SERVICE_RATES,
} satisfies Record<string, FaultRates>;

/** The fault of the next request, if any. Each kind of request draws from a random stream of its own. */
export type ChooseFault = (request: { method: string; path: string }) => Fault | undefined;

const drawFault =
  <Kind extends string>(rates: Record<Kind, FaultRates>, stream: (kind: Kind) => Random) =>
  (kind: Kind): Fault | undefined => {
    let left = stream(kind).next();
    for (const [probability, fault] of rates[kind]) {
      if (left < probability) return fault;
      left -= probability;
    }
    return undefined;
  };

export function discordFaults(streams: Streams): ChooseFault {
  const fault = drawFault(DISCORD_FAULTS, (kind) => streams('discord', kind));
  return (request) => {
    const kinds = ['callback', 'reply', 'edit', 'post'] as const;
    const kind = kinds.find((each) => calls[each](request));
    if (kind) return fault(kind);
    // Nothing at login: a bot that cannot log in does nothing at all.
    return /^\/(webhooks|channels|users\/@me\/channels)/.test(request.path) ? fault('other') : undefined;
  };
}

export function serviceFaults(streams: Streams): ChooseFault {
  const fault = drawFault(SERVICE_FAULTS, (kind) => streams('service', kind));
  return ({ path }) => {
    if (path.includes('endpoint=image_generation')) return fault('submit');
    if (path.includes('endpoint=task_status')) return fault('status');
    return fault(path.startsWith('/files/') ? 'picture' : 'other');
  };
}
