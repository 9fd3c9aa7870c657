import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { OperatorError } from '@darkroom/process';
import type { Plugin } from 'esbuild';

/** What may be a compiled module of ours, by its path as Linux, macOS and Windows write it. */
const COMPILED = /[\\/]dist[\\/].*\.js$/;

/**
 * Our own modules find files beside them by their address: in a bundle in `folder` it stays that of the compiled
 * module. A build in which none has one fails with an `OperatorError`: whatever starts a thread has.
 */
export const ownAddresses = (folder: string): Plugin => ({
  name: 'own addresses',
  setup({ onLoad, onEnd }) {
    let kept = 0;
    onLoad({ filter: COMPILED }, async ({ path }) => {
      // Our packages are links in node_modules, which on Windows (junctions) esbuild may not have followed.
      const real = realpathSync(path);
      if (real.includes(`${sep}node_modules${sep}`)) return null;
      const address = JSON.stringify(relative(folder, real).split(sep).join('/'));
      const text = await readFile(real, 'utf8');
      const parts = text.split('import.meta.url');
      kept += parts.length - 1;
      return { contents: parts.join(`new URL(${address}, import.meta.url).href`) };
    });
    onEnd(() => {
      if (kept === 0)
        throw new OperatorError(
          'no address of a module was kept: what finds files beside itself would look for them in the bundle',
        );
    });
  },
});
