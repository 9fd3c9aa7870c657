import type { Clock } from '../../../clock.ts';
import { HONOURED_BY } from '../../../contract/limits.ts';
import type { Log } from '../../../log.ts';
import type { Models } from '../../settings.ts';
import { type Drawing, DrawingError, type Engine, type Picture } from '../engine.ts';
import { attempt } from './attempt.ts';
import { objectionTo } from './caller-graph.ts';
import { AttemptLost } from './failure.ts';
import { createFleet, type Place } from './fleet.ts';
import { roundingOf } from './graphs/size.ts';
import { MODELS } from './models.ts';
import { objectionToModel } from './named-model.ts';
import { NODE_CLASSES } from './node-classes.ts';
import { readOrder } from './order.ts';
import { askState } from './prompt-state.ts';
import { type ComfyServer, createServer } from './server.ts';

export interface ComfyOptions {
  /** Addresses such as `http://127.0.0.1:8188`; at least one. */
  servers: readonly string[];
  clock: Clock;
  log: Log;
  /** `MODELS` unless given. */
  models?: Models | undefined;
  /** Node classes that a caller's graph may use; `NODE_CLASSES` unless given. */
  allowedNodes?: readonly string[] | undefined;
  /** Prompts on one server at once; 2 unless given. */
  promptsPerServer?: number | undefined;
  /** Milliseconds between an answer about a prompt and the next question; 1 s unless given. */
  pollMs?: number | undefined;
  /** Milliseconds without a word about a prompt after which it counts as lost; 20 s unless given. */
  silenceMs?: number | undefined;
  /** Milliseconds that a drawing waits while no server is well; 5 minutes unless given. */
  patienceMs?: number | undefined;
  /** Milliseconds for one call; 10 s unless given. */
  timeoutMs?: number | undefined;
}

/** One that runs, and one that spares it the wait in between. */
export const PROMPTS_PER_SERVER = 2;
/** A drawing that is lost through no fault of its own is begun once more. */
const ATTEMPTS = 2;
const LOST = 'The image server was lost while it was drawing, and a second attempt failed too.';

/**
 * Draws on one or several ComfyUI servers. A task's id is its prompt's id there, so a drawing that was begun by a
 * process that is no more is found again, and not made twice.
 */
export function createComfyEngine({
  servers: urls,
  clock,
  log,
  models = MODELS,
  allowedNodes = NODE_CLASSES,
  promptsPerServer = PROMPTS_PER_SERVER,
  pollMs = 1_000,
  silenceMs = 20_000,
  patienceMs = 5 * 60_000,
  timeoutMs,
}: ComfyOptions): Engine {
  const servers = urls.map((url) => createServer({ url, clock, log, timeoutMs }));
  const fleet = createFleet({ servers, promptsPerServer, patienceMs, clock });
  const rules = {
    allowedNodes: new Set(allowedNodes),
    allowedModels: models.allowed && new Set(models.allowed),
  };
  const times = { pollMs, silenceMs };
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  /** The server that has the task already, from a process before this one. */
  async function find(taskId: string, signal: AbortSignal): Promise<ComfyServer | undefined> {
    const well = await fleet.awake(signal);
    const known = await Promise.all(
      well.map(async ({ client, features }): Promise<string> => {
        const { at } = await askState(client, features, taskId, signal).catch(() => ({ at: 'unknown' }));
        return at;
      }),
    );
    signal.throwIfAborted();
    for (const [index, server] of well.entries())
      if (known[index] === 'interrupted') await forget(server, taskId);
    return well.find((_, index) => known[index] !== 'unknown' && known[index] !== 'interrupted');
  }

  /** Takes a former end of the task out of a history, where it would be taken for that of the next attempt. */
  const forget = (server: ComfyServer, taskId: string): Promise<void> =>
    server.client.forget(taskId).catch(() => undefined);

  async function develop(drawing: Drawing, watch: Parameters<Engine['draw']>[1]): Promise<Picture> {
    const { taskId } = drawing;
    const order = readOrder(drawing, models, rules);
    const signal = AbortSignal.any([watch.signal, closing.signal]);
    const found = await find(taskId, signal);
    if (found) log.info({ server: found.name, taskId }, 'a drawing was found again');
    let last: ComfyServer | undefined;
    for (let time = 1; ; time++) {
      const submitted = found !== undefined && time === 1;
      const place: Place = submitted ? fleet.take(found) : await fleet.place(order, signal, last);
      const { server } = place;
      const graph = order.graph(place.models);
      const { onDevelopment } = watch;
      try {
        if (time > 1) await forget(server, taskId);
        return await attempt({ server, graph, taskId, submitted, times, clock, log, signal, onDevelopment });
      } catch (error) {
        if (!(error instanceof AttemptLost)) throw error;
        log.warn({ server: server.name, taskId, err: error }, 'a drawing was lost on the way');
        server.doubt();
        last = server;
        if (time >= ATTEMPTS) throw new DrawingError(LOST, { cause: error });
      } finally {
        place.release();
      }
    }
  }

  // So that the log tells from the start which servers are there.
  fleet.awake(closing.signal).catch(() => undefined);

  return {
    name: 'comfyui',

    draw(drawing, watch) {
      const drawn = develop(drawing, watch);
      running.add(drawn);
      const done = () => running.delete(drawn);
      drawn.then(done, done);
      return drawn;
    },

    warnings({ prompt, width, height }) {
      const rounding = typeof prompt === 'string' ? roundingOf({ width, height }) : undefined;
      return rounding === undefined ? [] : [rounding];
    },

    async objection({ prompt, workflow, model }) {
      if (typeof prompt !== 'string') {
        const reason = objectionTo(prompt, rules);
        return reason === undefined ? undefined : { field: 'prompt', reason };
      }
      if (model === undefined || !HONOURED_BY.model.includes(workflow)) return undefined;
      return objectionToModel(model, { allowed: rules.allowedModels, fleet, signal: closing.signal });
    },

    async close() {
      closing.abort('closing');
      await Promise.allSettled(running);
      await fleet.close();
    },
  };
}
