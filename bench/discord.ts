import { forkFile } from './forked.ts';

/** What `discord-process.ts` is asked. */
export type DiscordQuestion =
  | { ask: 'address' }
  | { ask: 'imagine'; requests: number; overMs: number }
  | { ask: 'bring'; pictures: number; overMs: number; elsewhere: boolean }
  | { ask: 'pictures' }
  | { ask: 'tally' };

/** What became of one `/imagine`. */
export interface Answered {
  prompt: string;
  /** Milliseconds from the interaction to its first answer. */
  ms: number;
  /** `message`, or what came instead of the reply: that none came, or a refusal that only the member reads. */
  kind: 'message' | 'refused' | 'failure';
}

/** A picture that has appeared in the chat, at `at` milliseconds since the epoch. */
export interface Picture {
  prompt: string;
  at: number;
}

/** The latest 10,000 requests to the REST API, counted. */
export interface Tally {
  requests: number;
  refused: number;
}

export interface BenchDiscord {
  readonly pid: number;
  readonly apiUrl: string;
  /** Ours, and that of another bot in the same servers. */
  readonly token: string;
  readonly otherToken: string;
  /** Evenly over `overMs` and over all servers. Resolves once each has its first answer. */
  imagine(requests: number, overMs: number): Promise<Answered[]>;
  /** As many `/imagine`, each with a picture of 2 MiB of the member's own; `elsewhere` they go to the other bot. */
  bring(pictures: number, overMs: number, options?: { elsewhere: boolean }): Promise<Answered[]>;
  /** Those that have appeared since it was last asked; their messages are deleted, so that the chat stays small. */
  pictures(): Promise<Picture[]>;
  tally(): Promise<Tally>;
  stop(): Promise<void>;
}

/**
 * The local Discord with its usual limits and `servers` servers of one channel, in a process of its own.
 * `webhookRequestsPerMinute`: how many edits of replies a channel takes; any number unless given.
 */
export async function startBenchDiscord({
  servers,
  webhookRequestsPerMinute = Number.POSITIVE_INFINITY,
}: {
  servers: number;
  webhookRequestsPerMinute?: number;
}): Promise<BenchDiscord> {
  const child = forkFile(new URL('./discord-process.js', import.meta.url), {
    args: [String(servers), String(webhookRequestsPerMinute)],
  });
  const ask = <Answer>(question: DiscordQuestion) => child.ask<Answer>(question);
  return {
    pid: child.pid,
    ...(await ask<Pick<BenchDiscord, 'apiUrl' | 'token' | 'otherToken'>>({ ask: 'address' })),
    imagine: (requests, overMs) => ask({ ask: 'imagine', requests, overMs }),
    bring: (pictures, overMs, { elsewhere } = { elsewhere: false }) =>
      ask({ ask: 'bring', pictures, overMs, elsewhere }),
    pictures: () => ask({ ask: 'pictures' }),
    tally: () => ask({ ask: 'tally' }),
    stop: () => child.stop(),
  };
}
