import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { messageOf, OperatorError, runMain } from '@darkroom/process';
import { z } from 'zod';
import { ownAddresses } from './own-addresses.ts';

const MADE_OF = 'made-of.json';
const NOT_BUNDLED = [
  // Of native code.
  'better-sqlite3',
  'sharp',
  '@resvg/resvg-js',
  // They read files of their own, or start threads of them.
  'piscina',
  'pino',
  'pino-pretty',
  'fastify',
  '@fastify/*',
  // Loaded where somebody has installed them.
  'ai',
  '@ai-sdk/*',
  '@aws-sdk/*',
  '@tensorflow/*',
  '@upscalerjs/*',
  'bufferutil',
  'utf-8-validate',
  'zlib-sync',
  'pg-native',
];

/** Whether nothing of what a bundle was made of has changed since. */
async function isFresh(folder: string): Promise<boolean> {
  try {
    const list = `${folder}/${MADE_OF}`;
    const madeOf = z.array(z.string()).parse(JSON.parse(await readFile(list, 'utf8')));
    const { mtimeMs: madeAt } = await stat(list);
    const changes = await Promise.all(madeOf.map(async (path) => (await stat(path)).mtimeMs));
    return changes.every((changedAt) => changedAt < madeAt);
  } catch {
    return false;
  }
}

/**
 * Makes programs of what is compiled and of the packages that it uses: fewer and larger files, which are loaded in half
 * the time. Nothing is done where nothing has changed.
 */
async function bundle(folder: string, programs: string[]): Promise<void> {
  if (await isFresh(folder)) return;
  const { build } = await import('esbuild');
  // Whoever runs it is seldom who builds it.
  process.umask(0o022);
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: programs,
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    keepNames: true,
    external: NOT_BUNDLED,
    plugins: [ownAddresses(folder)],
    // For the packages in it that are CommonJS.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw new OperatorError(`${programs.join(', ')} could not be bundled: ${messageOf(error)}`);
  });
  for (const { entryPoint = '', exports } of Object.values(metafile.outputs)) {
    if (entryPoint.startsWith('node_modules/') && exports.join() === 'default')
      throw new OperatorError(
        `import() finds no names in ${entryPoint}, which is CommonJS: import it in a module of its own.`,
      );
  }
  const makers = ['bundle.js', 'own-addresses.js'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const madeOf = [...makers, ...Object.keys(metafile.inputs)];
  await writeFile(`${folder}/${MADE_OF}`, JSON.stringify(madeOf));
}

await runMain(() => {
  const [folder, ...programs] = process.argv.slice(2);
  if (folder === undefined || programs.length === 0)
    throw new OperatorError('usage: bundle FOLDER PROGRAM...');
  return bundle(folder, programs);
});
