import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { messageOf, OperatorError, runMain } from '@darkroom/process';
import { build, type Plugin } from 'esbuild';

const FOLDER = 'dist/bundle';
const PROGRAM = `${FOLDER}/darkroom.js`;
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

/** Our own modules find files beside them by their address: in the bundle it stays that of the compiled module. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return null;
      const address = JSON.stringify(relative(FOLDER, path).split(sep).join('/'));
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`) };
    });
  },
};

/** What a bundle is made of: what compiling writes last, and which packages are installed. */
const madeOf = async () => [
  'dist/.app.tsbuildinfo',
  'package-lock.json',
  ...(await readdir('packages')).map((name) => `packages/${name}/dist/.tsbuildinfo`),
];

const changedAt = async (path: string) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;

/**
 * Makes one program of what is compiled and of the packages that it uses: a start loads a few large files in place of
 * 1,500 small ones, and takes half the time. Nothing is done where nothing was compiled since.
 */
async function bundle(): Promise<void> {
  const newest = Math.max(...(await Promise.all((await madeOf()).map(changedAt))));
  if ((await changedAt(PROGRAM)) > newest) return;
  await rm(FOLDER, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: ['dist/src/darkroom.js'],
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    keepNames: true,
    external: NOT_BUNDLED,
    plugins: [ownAddresses],
    // For the packages in it that are CommonJS.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw new OperatorError(`The program could not be bundled: ${messageOf(error)}`);
  });
  for (const { entryPoint = '', exports } of Object.values(metafile.outputs)) {
    if (entryPoint.startsWith('node_modules/') && exports.join() === 'default')
      throw new OperatorError(
        `import() finds no names in ${entryPoint}, which is CommonJS: import it in a module of its own.`,
      );
  }
}

await runMain(bundle);
