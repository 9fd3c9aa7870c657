import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { type Circuit, createCircuit } from '../../src/jobs/circuit.ts';
import { createLog } from '../../src/log.ts';
import { createFakeClock } from '../support/clock.ts';
import { working } from '../support/poll-world.ts';

/** A circuit around a service that fails for what is in `sick`, and does well otherwise. */
function circuitWorld() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const sick = new Set<string>();
  const answer = async <Result>(id: string | undefined, result: Result): Promise<Result> => {
    if (sick.has(id ?? '')) throw new ServiceError('broken', 'a problem of its own');
    return result;
  };
  const circuit = createCircuit({
    images: {
      submit: (_submission, { idempotencyKey }) =>
        answer(idempotencyKey, { taskId: 'a task', cost: undefined, message: undefined }),
      status: (taskId) => answer(taskId, working),
    },
    clock,
    log: createLog({ destination: { write: (line) => void lines.push(line) } }),
  });
  return {
    clock,
    circuit,
    sick,
    logged: (words: string) => lines.filter((line) => line.includes(words)).length,
    poll: (...taskIds: string[]) =>
      each(taskIds, (taskId) => circuit.images.status(taskId, { apiKey: 'a key' })),
    submit: (...keys: string[]) =>
      each(keys, (idempotencyKey) =>
        circuit.images.submit({ prompt: 'a red fox' }, { apiKey: 'a key', idempotencyKey }),
      ),
  };
}

async function each(ids: readonly string[], call: (id: string) => Promise<unknown>): Promise<void> {
  for (const id of ids) await call(id).catch(() => undefined);
}

const admitted = ({ admits }: Circuit) => [admits(), admits(), admits()];

test('one task or submission that fails again and again closes the service to nobody', async () => {
  const { circuit, sick, poll, submit, logged } = circuitWorld();
  for (const id of ['t', 's']) sick.add(id);
  await poll(...Array.from({ length: 20 }, () => 't'));
  await submit(...Array.from({ length: 20 }, () => 's'));
  expect(admitted(circuit)).toEqual([true, true, true]);
  expect(logged('is down')).toBe(0);
});

test('five different ones that fail in a row do, and that is said once', async () => {
  const { circuit, sick, poll, submit, logged } = circuitWorld();
  for (const id of ['t1', 't2', 't3', 's1', 's2']) sick.add(id);
  await poll('t1', 't2', 't3');
  await submit('s1');
  expect(circuit.admits()).toBe(true);
  await submit('s2', 's1');
  await poll('t1', 't2');
  expect(admitted(circuit)).toEqual([false, false, false]);
  expect(logged('is down')).toBe(1);
});

test('one that does well shows that the service is there', async () => {
  const { circuit, sick, poll, logged } = circuitWorld();
  for (const id of ['t1', 't2', 't3', 't4', 't5']) sick.add(id);
  await poll('t1', 't2', 't3', 't4', 'well', 't5', 't1');
  expect(circuit.admits()).toBe(true);
  await poll('t2', 't3', 't4');
  expect(circuit.admits()).toBe(false);
  await poll('well');
  expect(admitted(circuit)).toEqual([true, true, true]);
  expect(logged('is back')).toBe(1);
});

test('while the service is down one new request is let through at a time, to see', async () => {
  const { clock, circuit, sick, poll, submit } = circuitWorld();
  for (const id of ['t1', 't2', 't3', 't4', 't5', 's1']) sick.add(id);
  await poll('t1', 't2', 't3', 't4', 't5');
  await clock.advance(14_000);
  await poll('t1');
  expect(circuit.admits()).toBe(false);
  await clock.advance(1_000);
  expect(admitted(circuit)).toEqual([true, false, false]);
  await clock.advance(10_000);
  await submit('s1');
  await clock.advance(14_999);
  expect(circuit.admits()).toBe(false);
  await clock.advance(1);
  expect(admitted(circuit)).toEqual([true, false, false]);
  await submit('well');
  expect(admitted(circuit)).toEqual([true, true, true]);
});
