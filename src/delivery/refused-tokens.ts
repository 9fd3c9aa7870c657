import type { Clock } from '@darkroom/time';
import type { Job } from '../jobs/job.ts';

/** The interaction tokens that Discord has refused: who goes on with one is shut out, for all of its requests, in the end. */
export interface RefusedTokens {
  add(job: Job): void;
  has(job: Job): boolean;
}

export function createRefusedTokens({ clock }: { clock: Pick<Clock, 'now'> }): RefusedTokens {
  /** When each would have expired; after that nobody tries it anyway. */
  const refused = new Map<string, number>();

  return {
    add({ secrets, reply }) {
      for (const [token, expiresAt] of refused) {
        if (expiresAt > clock.now()) break;
        refused.delete(token);
      }
      if (secrets) refused.set(secrets.interactionToken, reply.tokenExpiresAt);
    },
    has: ({ secrets }) => secrets !== undefined && refused.has(secrets.interactionToken),
  };
}
