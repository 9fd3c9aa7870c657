import { toThousandths } from '@darkroom/image-api/contract';
import type { MonthUsage } from './month-usage.ts';

/**
 * A month as a table: a line for every day, member and workflow. Commas, CRLF and quotes by RFC 4180; what a
 * spreadsheet would take for a formula begins with an apostrophe.
 */
export function usageCsv({ parts }: Pick<MonthUsage, 'parts'>): string {
  const lines = parts.map(({ day, memberId, workflow, pictures, failed, credits }) => [
    day,
    // As a mention it is text to a spreadsheet, which would round a number of so many digits.
    memberId === null ? '' : `<@${memberId}>`,
    workflow,
    pictures,
    failed,
    toThousandths(credits),
  ]);
  return [['day', 'member', 'workflow', 'pictures', 'failed', 'credits'], ...lines]
    .map((line) => `${line.map(field).join(',')}\r\n`)
    .join('');
}

function field(value: string | number): string {
  if (typeof value === 'number') return `${value}`;
  const text = /^[\s\p{Cf}]*[=+\-@\t\r＝＋－＠]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
