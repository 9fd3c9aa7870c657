import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createComfyEngine, PROMPTS_PER_SERVER } from './engines/comfyui/engine.ts';
import { modelList } from './engines/comfyui/models.ts';
import { NODE_CLASSES } from './engines/comfyui/node-classes.ts';
import { createSketchEngine } from './engines/sketch/engine.ts';
import { createPrice, priceList } from './ledger/price.ts';
import type { ServiceParts } from './service.ts';

export type ServiceConfig = Pick<
  Config,
  'PUBLIC_BASE_URL' | 'SERVICE_PRICES' | 'COMFYUI_URL' | 'COMFYUI_MODELS' | 'COMFYUI_NODES'
>;

interface Surroundings {
  clock: Clock;
  log: Log;
  /** Milliseconds that the sketch engine takes for a picture. */
  paceMs: number;
}

/** What the configuration says of a service, but for where it keeps things. Throws `UserError` where that makes no sense. */
export function configureService(
  config: ServiceConfig,
  surroundings: Surroundings,
): Omit<ServiceParts, 'databaseUrl' | 'filesFolder' | 'vault'> {
  return {
    price: createPrice(readJson('SERVICE_PRICES', priceList, config.SERVICE_PRICES)),
    ...chooseEngines(config, surroundings),
    publicBaseUrl: config.PUBLIC_BASE_URL,
    clock: surroundings.clock,
    log: surroundings.log,
  };
}

/** With ComfyUI, the workflow that has no graph is sketched. What the servers have no room for waits in the queue. */
function chooseEngines(
  config: ServiceConfig,
  { clock, log, paceMs }: Surroundings,
): Pick<ServiceParts, 'engine' | 'rr3Engine' | 'limits'> {
  const { COMFYUI_URL: servers, COMFYUI_MODELS, COMFYUI_NODES = [] } = config;
  const models = readJson('COMFYUI_MODELS', modelList, COMFYUI_MODELS);
  const sketch = createSketchEngine({ paceMs });
  if (!servers) return { engine: sketch };
  const allowedNodes = [...NODE_CLASSES, ...COMFYUI_NODES];
  return {
    engine: createComfyEngine({ servers, models, allowedNodes, clock, log }),
    rr3Engine: sketch,
    limits: { slots: servers.length * PROMPTS_PER_SERVER },
  };
}

function readJson<Shape>(variable: string, shape: z.ZodType<Shape>, value: unknown): Shape {
  const read = shape.safeParse(value ?? {});
  if (read.success) return read.data;
  throw new UserError(`${variable} cannot be understood:\n${z.prettifyError(read.error)}`);
}
