import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { esrganShapes } from './esrgan-shapes.ts';
import { writeRandomModel } from './random-model.ts';
import { type RealServer, startRealServer } from './real-server.ts';
import { sd15Shapes } from './sd15-shapes.ts';

/** Where a ComfyUI is, and the Python that runs it: that of its virtual environment unless named. */
export const COMFYUI_FOLDER = process.env.COMFYUI_TEST_FOLDER;

function pythonOf(folder: string): string {
  const candidates = ['venv', '.venv'].map((name) => join(folder, name, 'bin', 'python'));
  return process.env.COMFYUI_TEST_PYTHON ?? candidates.find((path) => existsSync(path)) ?? 'python3';
}

export interface RealComfyui extends RealServer {
  /** The files that it has kept: `temp/…`, `output/…`, `input/…`. */
  files(): Promise<string[]>;
}

/** Servers on the CPU that share models of random weights; nothing is written into the ComfyUI itself. */
export async function startComfyuis(count: number, comfyui = COMFYUI_FOLDER ?? '') {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-comfyui-'));
  const checkpoints = join(folder, 'models', 'checkpoints');
  await mkdir(checkpoints, { recursive: true });
  const shapes = sd15Shapes('two levels');
  for (const name of ['v1-5-pruned-emaonly', 'animagine-xl-4.0'])
    await writeRandomModel(join(checkpoints, `${name}-random.safetensors`), shapes);
  const upscalers = join(folder, 'models', 'upscale_models');
  await mkdir(upscalers);
  await writeRandomModel(join(upscalers, '2x-random.safetensors'), esrganShapes());
  const shared = join(folder, 'models.yaml');
  const places = ['checkpoints', 'upscale_models'].map((name) => `  ${name}: models/${name}\n`);
  await writeFile(shared, `darkroom:\n  base_path: ${folder}\n${places.join('')}`);

  const servers: RealComfyui[] = [];
  for (let at = 0; at < count; at++) {
    const home = join(folder, `server-${at}`);
    await mkdir(home);
    const options = ['--cpu', '--disable-all-custom-nodes', '--preview-method', 'latent2rgb'];
    const folders = ['--base-directory', home, '--extra-model-paths-config', shared];
    const program = join(comfyui, 'main.py');
    const server = await startRealServer(
      (port) => [pythonOf(comfyui), program, '--port', `${port}`, ...options, ...folders],
      { ready: 'To see the GUI go to', home },
    );
    servers.push({
      ...server,
      async files() {
        const found = await Promise.all(
          ['temp', 'output', 'input'].map(async (place) => {
            const options = { recursive: true, withFileTypes: true } as const;
            const entries = await readdir(join(home, place), options).catch(() => []);
            return entries
              .filter((entry) => entry.isFile())
              .map(({ parentPath, name }) => relative(home, join(parentPath, name)));
          }),
        );
        return found.flat();
      },
    });
  }
  return {
    servers,
    async close(): Promise<void> {
      await Promise.all(servers.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
