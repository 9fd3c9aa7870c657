import { expect, test } from 'vitest';
import { unusableStore } from '../../src/storage/unusable-store.ts';

const MODULE = Object.assign(
  new Error('better_sqlite3.node was compiled against a different Node.js version'),
  {
    code: 'ERR_DLOPEN_FAILED',
  },
);

test.each([MODULE, new Error('Could not locate the bindings file. Tried: …')])(
  'a module that is not built for this Node is told with what builds it, and not with disk and rights: %s',
  (cause) => {
    const { message } = unusableStore('sqlite:///data/bot.sqlite', cause);
    expect(message).toContain('run npm rebuild better-sqlite3 in the folder of the code.');
    expect(message).not.toContain('disk');
  },
);
