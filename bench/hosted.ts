import { createServer } from 'node:http';
// biome-ignore lint/correctness/noUndeclaredDependencies: image-service has it; npm leaves what is named here, too, out of production.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { loadServiceConfig } from '@darkroom/image-service/config';
import { openEngines } from '@darkroom/image-service/engines';
import { listen, silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
// biome-ignore lint/correctness/noUndeclaredDependencies: image-service has it; npm leaves what is named here, too, out of production.
import { generateImage } from 'ai';
import sharp from 'sharp';
import { drawingOf, drawOptions } from '../packages/image-service/test/support/drawings.ts';
import type { Line } from './line.ts';

const RUNS = 40;
const SIDE = 512;
const PROMPT = 'a red fox in the snow';

/**
 * How long a picture takes of a provider that has it at once: by our engine, and by the SDK with what any bot needs.
 */
export async function hostedPictures(): Promise<readonly Line[]> {
  const picture = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#35506b' } })
    .png()
    .toBuffer();
  const answer = JSON.stringify({ created: 0, data: [{ b64_json: picture.toString('base64') }] });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  const baseURL = `http://127.0.0.1:${await listen(server)}/v1`;

  const config = loadServiceConfig({ HOSTED_MODEL: 'openai-compatible:sd', HOSTED_BASE_URL: baseURL });
  const log = silentLog();
  const engines = await openEngines(config, { clock: systemClock, log, paceMs: 0 });
  const engine = engines.find(({ name }) => name === 'hosted');
  if (!engine) throw new Error('there is no such engine');
  const ours = () =>
    engine.draw(
      drawingOf({ prompt: PROMPT, negativePrompt: '', width: SIDE, height: SIDE, steps: 20 }),
      drawOptions(),
    );
  const model = createOpenAICompatible({ name: 'bare', baseURL }).imageModel('sd');
  async function bare(): Promise<void> {
    const { image } = await generateImage({ model, prompt: PROMPT, size: `${SIDE}x${SIDE}`, maxRetries: 0 });
    await sharp(image.uint8Array).png({ compressionLevel: 6 }).toBuffer();
  }
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  try {
    for (let run = 0; run < RUNS; run += 1) {
      for (const [whose, draw] of [['ours', ours] as const, ['bare', bare] as const]) {
        const startedAt = performance.now();
        await draw();
        // The first ones load what they need.
        if (run > 4) times[whose].push(performance.now() - startedAt);
      }
    }
  } finally {
    await Promise.all(engines.map((each) => each.close()));
    server.closeAllConnections();
    server.close();
  }
  return [
    {
      name: `${SIDE} × ${SIDE} of a provider that has it at once`,
      unit: 'ms',
      ours: times.ours,
      bare: { what: 'generateImage of the AI SDK, and its picture written anew', runs: times.bare },
      goal: { atMostOverBare: 10 },
    },
  ];
}
