import { box } from './figure.ts';

export const LAMP = '#ffd27a';

/** A lit window with round corners. */
export const pane = (x: number, y: number, width: number, height: number) =>
  box(LAMP, x, y, width, height, width * 0.45);
