import { calls, tooMany } from '../../support/discord-faults.ts';
import type { Random, Streams } from './random.ts';

/** What goes wrong with a call. */
export type Fault =
  /** No answer ever. */
  | 'hang'
  /** The connection is reset before anything is done. */
  | 'reset'
  /** The work is done, then the connection is reset. */
  | 'answer-lost'
  /** It arrives after so many real milliseconds. */
  | { slowMs: number }
  | StrangeAnswer;

/** Nothing is done, this is answered. */
export interface StrangeAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Of all calls of a kind, the share that each fault meets. */
type Odds = Readonly<Record<string, readonly (readonly [number, Fault])[]>>;

const page = (status: number, title: string): Fault => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html>${title}</html>`,
});

const DISCORD_FAILS: readonly (readonly [number, Fault])[] = [
  [0.03, { status: 500, body: '' }],
  [0.02, page(502, 'Bad Gateway')],
  [0.01, page(404, 'Not Found')],
  [0.005, page(200, 'Back soon')],
  [0.03, 'reset'],
  [0.04, 'answer-lost'],
  [0.03, { slowMs: 50 }],
  [0.02, tooMany(0.2)],
  [0.01, tooMany(1)],
];

/** Silence takes a bot its whole patience, which the first answer to an interaction does not have. */
const SILENCE = [0.01, 'hang'] as const;

export const DISCORD_ODDS = {
  callback: DISCORD_FAILS,
  reply: [...DISCORD_FAILS, SILENCE],
  edit: [...DISCORD_FAILS, SILENCE],
  // New messages are rare, and the one call that could be made twice.
  post: [[0.2, 'answer-lost'], ...DISCORD_FAILS, SILENCE],
  other: [...DISCORD_FAILS, SILENCE],
} satisfies Odds;

const SERVICE_FAILS: readonly (readonly [number, Fault])[] = [
  [0.03, 'reset'],
  [0.02, page(502, 'Bad Gateway')],
  [0.01, { status: 429, headers: { 'retry-after': '1' }, body: { success: false, error: 'busy' } }],
  [0.04, 'answer-lost'],
  [0.07, { slowMs: 50 }],
  [0.07, { slowMs: 250 }],
];

export const SERVICE_ODDS = {
  submit: SERVICE_FAILS,
  status: [...SERVICE_FAILS, [0.01, page(404, 'Not Found')]],
  picture: SERVICE_FAILS,
  other: SERVICE_FAILS,
} satisfies Odds;

interface Asked {
  method: string;
  path: string;
}

/** What meets the next call, where calls of each kind are counted for themselves. */
export type Fate = (asked: Asked) => Fault | undefined;

const drawn =
  <Kind extends string>(
    odds: Record<Kind, readonly (readonly [number, Fault])[]>,
    stream: (kind: Kind) => Random,
  ) =>
  (kind: Kind): Fault | undefined => {
    let roll = stream(kind).next();
    for (const [share, fault] of odds[kind]) {
      if (roll < share) return fault;
      roll -= share;
    }
    return undefined;
  };

export function discordFate(streams: Streams): Fate {
  const fault = drawn(DISCORD_ODDS, (kind) => streams('discord', kind));
  return (asked) => {
    const kinds = ['callback', 'reply', 'edit', 'post'] as const;
    const kind = kinds.find((each) => calls[each](asked));
    if (kind) return fault(kind);
    // Who cannot log in cannot do anything at all.
    return /^\/(webhooks|channels|users\/@me\/channels)/.test(asked.path) ? fault('other') : undefined;
  };
}

export function serviceFate(streams: Streams): Fate {
  const fault = drawn(SERVICE_ODDS, (kind) => streams('service', kind));
  return ({ path }) => {
    if (path.includes('endpoint=image_generation')) return fault('submit');
    if (path.includes('endpoint=task_status')) return fault('status');
    return fault(path.startsWith('/files/') ? 'picture' : 'other');
  };
}
