import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Standard Webhooks wants 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new secret of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

interface Message {
  /** The same for every attempt, so that a receiver knows a repeated one. */
  id: string;
  /** Milliseconds since the epoch, of this attempt. */
  sentAt: number;
  body: string;
}

/** The headers of Standard Webhooks, with a signature for each secret: a receiver needs to know one of them. */
export function signedHeaders(secrets: readonly string[], { id, sentAt, body }: Message) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(sentAt), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
