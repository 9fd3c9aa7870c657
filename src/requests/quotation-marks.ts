/** Quotation marks as they are typed, and as phones and languages make of them. */
const DOUBLE = '"“”„«»';
const SINGLE = "'‘’‚";

/** What stands in quotation marks at the start of `text`, and where it ends; undefined where none open or close. */
export function readQuoted(text: string): { value: string; end: number } | undefined {
  const marks = [DOUBLE, SINGLE].find((some) => text !== '' && some.includes(text.charAt(0)));
  if (!marks) return undefined;
  for (let index = 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (marks.includes(text.charAt(index))) {
      return { value: text.slice(1, index).replace(/\\([\s\S])/g, '$1'), end: index + 1 };
    }
  }
  return undefined;
}

/** Whether `text` would be read as quoted where more follows it. */
export const opensQuote = (text: string): boolean =>
  text !== '' && (DOUBLE + SINGLE).includes(text.charAt(0));

/** `text` so that `readQuoted` reads it. */
export const quote = (text: string): string => `"${text.replace(/[\\"“”„«»]/g, '\\$&')}"`;
