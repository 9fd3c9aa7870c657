import { expect, test } from 'vitest';
import { createPreparedNames } from '../src/prepared-names.ts';

test('a statement is prepared from its fifth run on, under a name of its own', () => {
  const nameOf = createPreparedNames();
  const runs = (sql: string) => Array.from({ length: 6 }, () => nameOf(sql));

  const [first, second, third, fourth, fifth, sixth] = runs('select 1');
  expect([first, second, third, fourth]).toEqual([undefined, undefined, undefined, undefined]);
  expect(fifth).toBeDefined();
  expect(sixth).toBe(fifth);
  expect(runs('select 2').at(-1)).not.toBe(fifth);
});

test('the name of a statement is the same in every process, whatever it has prepared before', () => {
  const often = (nameOf: (sql: string) => string | undefined, sql: string) =>
    Array.from({ length: 5 }, () => nameOf(sql)).at(-1);
  const [one, other] = [createPreparedNames(), createPreparedNames()];
  const deleting = often(one, 'delete from jobs');
  expect(often(other, 'select 1')).not.toBe(deleting);
  expect(often(other, 'delete from jobs')).toBe(deleting);
});

test('no more are prepared than the server should keep', () => {
  const nameOf = createPreparedNames();
  const names = Array.from({ length: 600 }, (_, statement) =>
    Array.from({ length: 5 }, () => nameOf(`select ${statement}`)).at(-1),
  );
  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(500);
});
