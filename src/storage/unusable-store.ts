import { messageOf, OperatorError } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { isSqlite, nameOf, type StoreUrl } from './store-url.ts';

export function unusableStore(url: StoreUrl, cause: unknown): OperatorError {
  return new OperatorError(
    `The store ${nameOf(url)} cannot be opened: ${messageOf(cause)}${adviceFor(cause, url)}`,
    { cause },
  );
}

function adviceFor(cause: unknown, url: StoreUrl): string {
  if (cause instanceof OperatorError) return '';
  if (isSqlite(url)) return '. Check STORE_URL, that its user may write there, and that the disk has room.';
  return cause instanceof DatabaseUnavailable
    ? '. Check that PostgreSQL runs there and lets the user of STORE_URL write.'
    : '';
}
