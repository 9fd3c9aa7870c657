import { ServiceError } from '@darkroom/image-api';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createCircuitBreaker, ServiceDownError } from '../../../src/jobs/service-calls/circuit-breaker.ts';
import { createLog } from '../../../src/log.ts';
import { working } from '../../support/poll-world.ts';

/** A circuit breaker around a service that fails for what is in `sick`, and does well otherwise. */
function breakerWorld() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const sick = new Set<string>();
  const answer = async <Result>(id: string | undefined, result: Result): Promise<Result> => {
    if (sick.has(id ?? '')) throw new ServiceError('broken', 'a problem of its own');
    return result;
  };
  const breaker = createCircuitBreaker({
    images: {
      submit: (_submission, { idempotencyKey }) =>
        answer(idempotencyKey, {
          taskId: 'a task',
          cost: undefined,
          message: undefined,
          seed: undefined,
          warnings: [],
        }),
      status: (taskId) => answer(taskId, working),
    },
    clock,
    log: createLog({ destination: { write: (line) => void lines.push(line) } }),
  });
  return {
    clock,
    breaker,
    sick,
    logged: (words: string) => lines.filter((line) => line.includes(words)).length,
    poll: (...taskIds: string[]) =>
      each(taskIds, (taskId) => breaker.images.status(taskId, { apiKey: 'a key' })),
    submit: (...keys: string[]) =>
      each(keys, (idempotencyKey) =>
        breaker.images.submit({ prompt: 'a red fox' }, { apiKey: 'a key', idempotencyKey }),
      ),
  };
}

async function each(ids: readonly string[], call: (id: string) => Promise<unknown>): Promise<void> {
  for (const id of ids) await call(id).catch(() => undefined);
}

type Breaker = ReturnType<typeof breakerWorld>['breaker'];

const admits = ({ admit }: Breaker): boolean => {
  try {
    admit();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceDownError);
    return false;
  }
};

const admitsThree = (breaker: Breaker) => [admits(breaker), admits(breaker), admits(breaker)];

test('one task or submission that fails again and again does not open the circuit', async () => {
  const { breaker, sick, poll, submit, logged } = breakerWorld();
  for (const id of ['t', 's']) sick.add(id);
  await poll(...Array.from({ length: 20 }, () => 't'));
  await submit(...Array.from({ length: 20 }, () => 's'));
  expect(admitsThree(breaker)).toEqual([true, true, true]);
  expect(logged('is down')).toBe(0);
});

test('five different ones that fail in a row open it, and that is logged once', async () => {
  const { breaker, sick, poll, submit, logged } = breakerWorld();
  for (const id of ['t1', 't2', 't3', 's1', 's2']) sick.add(id);
  await poll('t1', 't2', 't3');
  await submit('s1');
  expect(admits(breaker)).toBe(true);
  await submit('s2', 's1');
  await poll('t1', 't2');
  expect(admitsThree(breaker)).toEqual([false, false, false]);
  expect(logged('is down')).toBe(1);
});

test('one success closes the circuit', async () => {
  const { breaker, sick, poll, logged } = breakerWorld();
  for (const id of ['t1', 't2', 't3', 't4', 't5']) sick.add(id);
  await poll('t1', 't2', 't3', 't4', 'well', 't5', 't1');
  expect(admits(breaker)).toBe(true);
  await poll('t2', 't3', 't4');
  expect(admits(breaker)).toBe(false);
  await poll('well');
  expect(admitsThree(breaker)).toEqual([true, true, true]);
  expect(logged('is back')).toBe(1);
});

test('while the circuit is open one trial request is admitted at a time', async () => {
  const { clock, breaker, sick, poll, submit } = breakerWorld();
  for (const id of ['t1', 't2', 't3', 't4', 't5', 's1']) sick.add(id);
  await poll('t1', 't2', 't3', 't4', 't5');
  await clock.advance(4_000);
  await poll('t1');
  expect(admits(breaker)).toBe(false);
  await clock.advance(1_000);
  expect(admitsThree(breaker)).toEqual([true, false, false]);
  await clock.advance(3_000);
  await submit('s1');
  await clock.advance(4_999);
  expect(admits(breaker)).toBe(false);
  await clock.advance(1);
  expect(admitsThree(breaker)).toEqual([true, false, false]);
  await submit('well');
  expect(admitsThree(breaker)).toEqual([true, true, true]);
});
