import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeRandomModel } from './random-model.ts';
import { type RealServer, startRealServer } from './real-server.ts';
import { sd15Shapes } from './sd15-shapes.ts';

/** The program `sd-server` of stable-diffusion.cpp. */
export const SDCPP_SERVER = process.env.SDCPP_TEST_SERVER;

/** Servers that share a model of random weights. */
export async function startSdcpps(count: number, program = SDCPP_SERVER ?? '') {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-sdcpp-'));
  const model = join(folder, 'v1-5-pruned-emaonly-random.safetensors');
  await writeRandomModel(model, sd15Shapes('whole'));
  const servers: RealServer[] = [];
  for (let at = 0; at < count; at++)
    servers.push(
      await startRealServer(
        (port) => [program, '--model', model, '--threads', '1', '--listen-port', `${port}`],
        {
          ready: 'listening on',
          home: folder,
        },
      ),
    );
  return {
    servers,
    async close(): Promise<void> {
      await Promise.all(servers.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As the program tells it, such as `master-827-97d2990`. */
export async function versionOfSdcpp(program = SDCPP_SERVER ?? ''): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return stdout.trim();
}
