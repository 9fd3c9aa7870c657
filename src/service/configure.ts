import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createComfyEngine, PROMPTS_PER_SERVER } from './engines/comfyui/engine.ts';
import { NODE_CLASSES } from './engines/comfyui/node-classes.ts';
import { createSketchEngine } from './engines/sketch/engine.ts';
import { createPrice } from './ledger/price.ts';
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

/** What the configuration says of a service, but for where it keeps things. */
export function configureService(
  config: ServiceConfig,
  surroundings: Surroundings,
): Omit<ServiceParts, 'databaseUrl' | 'filesFolder' | 'vault'> {
  return {
    price: createPrice(config.SERVICE_PRICES),
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
  const { COMFYUI_URL: servers, COMFYUI_MODELS: models, COMFYUI_NODES = [] } = config;
  const sketch = createSketchEngine({ paceMs });
  if (!servers) return { engine: sketch };
  const allowedNodes = [...NODE_CLASSES, ...COMFYUI_NODES];
  return {
    engine: createComfyEngine({ servers, models, allowedNodes, clock, log }),
    rr3Engine: sketch,
    limits: { slots: servers.length * PROMPTS_PER_SERVER },
  };
}
