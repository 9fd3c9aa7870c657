import { OperatorError } from '@darkroom/process';
import { textOf } from './row-text.ts';
import type { TableRow } from './table.ts';

/** How the tables of this version are laid out. */
const LAYOUT = 2;

export const LAYOUT_ROW: TableRow = {
  key: 'store:layout',
  text: textOf(LAYOUT, null),
  expires: null,
};

/**
 * Whether the tables are those of this version, by the text of their `LAYOUT_ROW`. Throws where they are of a newer
 * one.
 */
export function isCurrent(text: string | undefined): boolean {
  if (text === undefined) return false;
  const { value } = JSON.parse(text);
  if (value > LAYOUT) {
    throw new OperatorError(
      `a newer version of Darkroom has written it (layout ${value}; this version knows ${LAYOUT}). ` +
        'Start that version; or move this store out of the way, and restore a backup from before the upgrade.',
    );
  }
  return true;
}
