import { codeOf, messageOf, OperatorError } from '@darkroom/process';
import { DatabaseUnavailable, isDamaged, isDiskFailure, mendOfDamage } from '@darkroom/storage';
import { StoreError } from './collection.ts';
import { isSqlite, nameOf, type StoreUrl } from './store-url.ts';

export function unusableStore(url: StoreUrl, cause: unknown): OperatorError {
  return new OperatorError(
    `The store ${nameOf(url)} cannot be opened: ${messageOf(cause)}${adviceFor(cause, url)}`,
    { cause },
  );
}

/** What `work` does on the store at `url`. Rejects with an `OperatorError` where that fails it. */
export const onStore = <Result>(url: StoreUrl, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    const isOfStore =
      error instanceof StoreError ||
      error instanceof DatabaseUnavailable ||
      isDiskFailure(error) ||
      isDamaged(error);
    throw isOfStore ? unusableStore(url, error) : error;
  });

function adviceFor(cause: unknown, url: StoreUrl): string {
  if (cause instanceof OperatorError) return '';
  if (isOfOtherNode(cause))
    return '. Node.js was changed, or this module was not built: run npm rebuild better-sqlite3 in the folder of the code.';
  if (isDamaged(cause) || (cause instanceof StoreError && isDamaged(cause.cause)))
    return `. ${mendOfDamage('STORE_URL')}`;
  if (isSqlite(url)) return '. Check STORE_URL, that its user may write there, and that the disk has room.';
  return cause instanceof DatabaseUnavailable
    ? '. Check that PostgreSQL runs there and lets the user of STORE_URL write.'
    : '';
}

/** Of the module that better-sqlite3 is: it is built for one version of Node, by a script that npm may have left out. */
const isOfOtherNode = (cause: unknown): boolean =>
  codeOf(cause) === 'ERR_DLOPEN_FAILED' || messageOf(cause).startsWith('Could not locate the bindings file');
