import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { makeSigningSecret, signedHeaders } from '../../src/webhooks/signature.ts';

const anyMessage = fc.record({ id: fc.uuid(), body: fc.string({ unit: 'grapheme' }) });

test('what is signed is what Standard Webhooks says: HMAC-SHA256 of id, seconds and body', () => {
  fc.assert(
    fc.property(anyMessage, fc.integer({ min: 0, max: 4_000_000_000_000 }), (message, sentAt) => {
      const secret = makeSigningSecret();
      const headers = signedHeaders([secret], { ...message, sentAt });
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const signed = `${message.id}.${Math.floor(sentAt / 1_000)}.${message.body}`;
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
    }),
  );
});

test('who knows any of the secrets can verify it, and nobody else, nor when anything was changed', () => {
  fc.assert(
    fc.property(anyMessage, ({ id, body }) => {
      const [one, other, foreign] = [makeSigningSecret(), makeSigningSecret(), makeSigningSecret()];
      const headers = signedHeaders([one, other], { id, body, sentAt: Date.now() });
      const verify = (secret: string, changed: Partial<typeof headers> = {}, text = body) =>
        new Webhook(secret).verify(text, { ...headers, ...changed }, { jsonParse: false });
      for (const secret of [one, other]) expect(() => verify(secret)).not.toThrow();
      expect(() => verify(foreign)).toThrow();
      expect(() => verify(one, {}, `${body} `)).toThrow();
      expect(() => verify(one, { 'webhook-id': `${id}0` })).toThrow();
    }),
  );
});
