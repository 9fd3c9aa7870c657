import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/service-error.ts';
import { raw } from '../support/behaviours.ts';
import { createClientWorld } from '../support/image-client.ts';
import { A_KEY } from '../support/polite-service.ts';

const json = fc
  .oneof(
    fc.jsonValue(),
    fc.record({ success: fc.boolean(), data: fc.jsonValue(), error: fc.jsonValue() }),
    fc.record({
      success: fc.boolean(),
      data: fc.dictionary(fc.constantFrom('id', 'status', 'balance'), fc.jsonValue()),
    }),
  )
  .map((value) => new Uint8Array(Buffer.from(JSON.stringify(value))));
const body = fc.oneof(json, fc.uint8Array({ maxLength: 300 }));
const status = fc.constantFrom(200, 200, 201, 204, 302, 400, 401, 402, 404, 418, 429, 500, 503);

test('no answer, whatever its status and bytes, makes the client throw anything but a ServiceError', async () => {
  const { client, service } = await createClientWorld();
  const calls = [
    () => client.submit({ prompt: 'a fox' }, { apiKey: A_KEY }),
    () => client.status('7', { apiKey: A_KEY }),
    () => client.balance({ apiKey: A_KEY }),
    () => client.generateKey({ token: 'token' }),
    () => client.getKey({ apiKey: A_KEY }),
    () => client.revokeKey({ apiKey: A_KEY }),
    () => client.download('/pictures/7.png'),
  ];
  await fc.assert(
    fc.asyncProperty(body, status, fc.nat(calls.length - 1), async (bytes, code, which) => {
      const behaviour = raw(bytes, 'application/json', { status: code });
      for (const route of [
        'submit',
        'status',
        'balance',
        'generateKey',
        'getKey',
        'revokeKey',
        'picture',
      ] as const) {
        service.script(route, behaviour);
      }
      const outcome = await calls[which]?.().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (outcome === undefined) return;
      expect(outcome).toBeInstanceOf(ServiceError);
      expect(String(outcome)).not.toContain(A_KEY);
    }),
    { numRuns: 300 },
  );
});
