/** What XML holds in no form, such as control characters: https://www.w3.org/TR/xml/#charsets */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it stands in a document, between tags and in an attribute. */
const escapeXml = (text: string): string =>
  text.replace(NO_XML, '\u{FFFD}').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** One element; `content` is SVG already. Attributes without a value are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content = '',
): string {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value === undefined ? '' : ` ${attribute}="${escapeXml(`${value}`)}"`,
  );
  return `<${name}${written.join('')}>${content}</${name}>`;
}

export interface Lettering {
  size: number;
  weight?: number;
  colour?: string;
  anchor?: 'end' | 'middle';
}

/** One line of text; `y`: of the line on which it stands. */
export function text(
  content: string,
  x: number,
  y: number,
  { size, weight, colour, anchor }: Lettering,
): string {
  const font = { 'font-family': 'Inter', 'font-size': size, 'font-weight': weight };
  return element('text', { x, y, ...font, fill: colour, 'text-anchor': anchor }, escapeXml(content));
}

/** A drawing with nothing but its elements in it. */
export const svg = (size: { width: number; height: number }, elements: readonly string[]): string =>
  element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, elements.join(''));
