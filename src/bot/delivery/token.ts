import type { Job } from '../../jobs/job.ts';

/** The last minute of a token's life is left to what is under way. */
const TOKEN_MARGIN_MS = 60_000;

/** From when on nothing more is sent by the token of a job's reply, in milliseconds since the epoch. */
export const tokenClosesAt = ({ reply }: Job): number => reply.tokenExpiresAt - TOKEN_MARGIN_MS;
