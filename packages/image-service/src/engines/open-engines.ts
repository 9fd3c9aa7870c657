import type { Log } from '@darkroom/process';
import { type Clock, steadyClock } from '@darkroom/time';
import type { ServiceConfig } from '../config.ts';
import { drawnAs } from '../workflows/workflows.ts';
import { createComfyEngine } from './comfyui/engine.ts';
import { NODE_CLASSES } from './comfyui/node-classes.ts';
import { DEFAULT_MODELS } from './comfyui/workflow-models.ts';
import type { Engine } from './engine.ts';
import type { EngineName } from './engine-names.ts';
import { createHordeEngine } from './horde/engine.ts';
import { createHostedEngine } from './hosted/engine.ts';
import { createSketchEngine } from './sketch.ts';
import { createUpscaler } from './upscaling/upscaler.ts';
import { withUpscaling } from './upscaling/with-upscaling.ts';
import { createWebuiEngine } from './webui/engine.ts';

interface Surroundings {
  clock: Clock;
  log: Log;
  /** Milliseconds that the sketch engine takes for a picture. */
  paceMs: number;
}

const HORDE_URL = 'https://aihorde.net/api/v2';

/**
 * The engines that are set up, in the order of `ENGINES`. Rejects with an `OperatorError` where one cannot be, and
 * leaves none open then.
 */
export async function openEngines(config: ServiceConfig, surroundings: Surroundings): Promise<Engine[]> {
  const engines: Engine[] = [];
  // So that none of them rests for as long as the time was set back.
  const clock = steadyClock(surroundings.clock);
  try {
    for await (const engine of enginesIn(config, { ...surroundings, clock }, engines)) engines.push(engine);
  } catch (error) {
    await Promise.allSettled(engines.map((engine) => engine.close()));
    throw error;
  }
  const upscaler = createUpscaler();
  return engines.map((engine) => withUpscaling(engine, upscaler));
}

async function* enginesIn(
  config: ServiceConfig,
  { clock, log, paceMs }: Surroundings,
  earlier: readonly Engine[],
): AsyncGenerator<Engine, void> {
  const { COMFYUI_URL: servers, COMFYUI_NODES = [], SERVICE_WORKFLOWS: workflows = {} } = config;
  /** Of the workflows that name it, or that name none and that none of the earlier can draw. */
  const modelsFor = (name: EngineName): string[] =>
    Object.entries(workflows).flatMap(([workflow, given]) => {
      if (given.model === undefined) return [];
      const isDrawnBy = given.engine
        ? given.engine === name
        : !earlier.some((engine) => engine.abilities(drawnAs(workflow, given)));
      return isDrawnBy ? [given.model] : [];
    });
  if (servers) {
    const models = config.COMFYUI_MODELS ?? DEFAULT_MODELS;
    yield createComfyEngine({
      servers,
      models: { ...models, allowed: models.allowed && [...models.allowed, ...modelsFor('comfyui')] },
      allowedNodes: [...NODE_CLASSES, ...COMFYUI_NODES],
      clock,
      log,
    });
  }
  if (config.SDWEBUI_URL) yield createWebuiEngine({ servers: config.SDWEBUI_URL, clock, log });
  if (config.HOSTED_MODEL) {
    const { HOSTED_MODEL, HOSTED_API_KEY: key, HOSTED_BASE_URL: baseUrl } = config;
    yield await createHostedEngine({
      ...HOSTED_MODEL,
      others: modelsFor('hosted'),
      key,
      baseUrl,
      pictureOrigins: config.HOSTED_PICTURE_ORIGINS,
      clock,
      log,
    });
  }
  if (config.AI_HORDE_KEY) {
    const { AI_HORDE_KEY: key, AI_HORDE_URL: url = HORDE_URL, AI_HORDE_CONTACT: contact } = config;
    const nsfw = config.AI_HORDE_NSFW === 'allowed';
    yield createHordeEngine({ key, url, contact, nsfw, clock, log });
  }
  yield createSketchEngine({ paceMs });
}
