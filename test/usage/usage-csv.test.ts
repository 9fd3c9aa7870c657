import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMonthSum } from '../../src/usage/month-usage.ts';
import { usageCsv } from '../../src/usage/usage-csv.ts';

const csvOf = (...workflows: string[]) => {
  const sum = createMonthSum('2026-11');
  sum.add(
    '2026-11-01',
    workflows.map((workflow) => ({ memberId: '200', workflow, pictures: 1, failed: 0, credits: 0.1 + 0.2 })),
  );
  return usageCsv(sum.sum());
};

/** The fields of a CSV, by RFC 4180. */
function parse(csv: string): string[][] {
  const lines: string[][] = [];
  let rest = csv;
  while (rest !== '') {
    const line: string[] = [];
    for (let end = ','; end === ','; ) {
      const [whole = '', quoted, plain = '', after = ''] =
        /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
      if (whole === '') throw new Error(`not a field: ${JSON.stringify(rest)}`);
      line.push(quoted?.replaceAll('""', '"') ?? plain);
      rest = rest.slice(whole.length);
      end = after;
    }
    lines.push(line);
  }
  return lines;
}

test('a month is a table with a line for each day, member and workflow', () => {
  expect(csvOf('anime', 'default')).toBe(
    'day,member,workflow,pictures,failed,credits\r\n' +
      '2026-11-01,<@200>,anime,1,0,0.3\r\n' +
      '2026-11-01,<@200>,default,1,0,0.3\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200B=1', '＝1', '\r=1'])(
  'a spreadsheet takes %j for text',
  (formula) => {
    const [, [, , workflow] = []] = parse(csvOf(formula));
    expect(workflow).toBe(`'${formula}`);
  },
);

test('any name comes back from the table as it was, or with the apostrophe before it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (name) => {
      const [, [, , workflow] = []] = parse(csvOf(name));
      expect([name, `'${name}`]).toContain(workflow);
      expect(workflow).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});
