import { createHash, randomBytes } from 'node:crypto';

/** Source: 'Receiving and Responding': the first answer, and how long a token works. */
export const FIRST_ANSWER_MS = 3000;
export const TOKEN_LIFE_MS = 15 * 60_000;

/** A new interaction token, in the form and length of Discord's. */
export function drawToken(interactionId: string): string {
  return Buffer.from(`interaction:${interactionId}:${randomBytes(60).toString('hex')}`).toString('base64url');
}

/** What is kept of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
