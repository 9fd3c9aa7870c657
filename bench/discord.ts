import { forkFile } from './forked.ts';

/** What `discord-process.ts` is asked. */
export type DiscordQuestion =
  | { ask: 'address' }
  | { ask: 'imagine'; requests: number; overMs: number }
  | { ask: 'bring'; pictures: number; overMs: number; elsewhere: boolean }
  | { ask: 'pictures' }
  | { ask: 'refused' };

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

export interface DiscordAddress {
  apiUrl: string;
  /** Ours, and that of another bot in the same servers. */
  token: string;
  otherToken: string;
}

export type BenchDiscord = Awaited<ReturnType<typeof startBenchDiscord>>;

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
}) {
  const child = forkFile(new URL('./discord-process.js', import.meta.url), {
    args: [String(servers), String(webhookRequestsPerMinute)],
  });
  const ask = <Answer>(question: DiscordQuestion) => child.ask<Answer>(question);
  return {
    ...(await ask<DiscordAddress>({ ask: 'address' })),
    /** Evenly over `overMs` and over all servers. Resolves once each has its first answer. */
    imagine: (requests: number, overMs: number) => ask<Answered[]>({ ask: 'imagine', requests, overMs }),
    /** As many `/imagine`, each with a picture of 2 MiB of the member's own; `elsewhere` they go to the other bot. */
    bring: (pictures: number, overMs: number, { elsewhere }: { elsewhere: boolean }) =>
      ask<Answered[]>({ ask: 'bring', pictures, overMs, elsewhere }),
    /** Those that have appeared since it was last asked; their messages are deleted, so that the chat stays small. */
    pictures: () => ask<Picture[]>({ ask: 'pictures' }),
    /** How many of the latest 10,000 requests to the REST API were answered with 429. */
    refused: () => ask<number>({ ask: 'refused' }),
    stop: () => child.stop(),
  };
}
