import { expect, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

test('the operator sees what became of webhooks, without their addresses, and can change their secret', async () => {
  const { storage, run } = await operator();
  const receiver = await webhookReceiver((response, count) => {
    response.statusCode = count === 1 ? 204 : 500;
    response.end();
  });
  const world = await serviceWorld({ storage, webhookOrigins: [receiver.origin] });
  const ids = [];
  for (let count = 1; count <= 2; count++) {
    ids.push(await world.submitted({ prompt: 'a fox', webhook: receiver.url }));
    await world.until(ids.at(-1) ?? '', ({ webhook }) => webhook?.attempts.length === 1);
  }
  const listed = await run('webhook', 'list', world.username, '--json');
  expect(JSON.parse(listed)).toMatchObject([
    { task: ids[1], state: 'pending', attempts: 1, answer: 500, next: expect.any(String) },
    { task: ids[0], state: 'delivered', attempts: 1, answer: 204, next: null, reason: null },
  ]);
  expect(listed).not.toContain('only-mine');

  const secret = async (...options: string[]) =>
    JSON.parse(await run('webhook', 'secret', world.username, ...options, '--json'))[0]['webhook secret'];
  const first = await secret();
  expect([await secret(), (await secret('--rotate')) === first]).toEqual([first, false]);
});
