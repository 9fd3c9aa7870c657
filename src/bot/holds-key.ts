/** A key of the image service, wherever it stands in a text. */
const KEY = /sk-[0-9a-f]{48}/i;

/** Whether one of these texts holds a key: somebody typed it where others may read it, or where it is sent on. */
export const holdsKey = (...texts: readonly unknown[]): boolean =>
  texts.some((text) => typeof text === 'string' && KEY.test(text));
