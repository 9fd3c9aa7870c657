import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Clock, systemClock } from '../../../clock.ts';
import { unlessAborted } from '../../../deadline.ts';
import type { Development, Engine, Picture } from '../engine.ts';
import { orderOf } from './order.ts';
import { createShowing } from './showing.ts';
import type { Assignment } from './worker.ts';

export interface SketchOptions {
  /** Milliseconds that a picture pretends to take, so that it is seen to develop. 0, the default: as fast as it goes. */
  paceMs?: number;
  /** Worker threads at most. Default: one core less than there are, but at least one. */
  workers?: number;
  /** Milliseconds after which a worker without work ends. */
  idleMs?: number;
  clock?: Clock;
}

/** Node cannot load TypeScript in a worker: beside compiled code lies worker.js, beside the source it is in dist/. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('../../../../dist/src/service/engines/sketch/worker.js', import.meta.url).href
  : new URL('./worker.js', import.meta.url).href;

/**
 * An engine that needs no model: it reads the prompt with a small lexicon, composes a scene and paints it. The same
 * drawing always gives the same pixels. It is no AI and does not pretend to be one.
 */
export function createSketchEngine(options: SketchOptions = {}): Engine {
  const {
    paceMs = 0,
    workers = Math.max(1, availableParallelism() - 1),
    idleMs = 20_000,
    clock = systemClock,
  } = options;
  const pool = new Piscina({
    filename: WORKER,
    name: 'draw',
    minThreads: 0,
    maxThreads: workers,
    idleTimeout: idleMs,
    // An idle worker that waits on an Atomic would be stopped before its port has closed.
    atomics: 'async',
  });
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function draw(
    drawing: Parameters<Engine['draw']>[0],
    watch: Parameters<Engine['draw']>[1],
  ): Promise<Picture> {
    const signal = AbortSignal.any([watch.signal, closing.signal]);
    signal.throwIfAborted();
    const order = orderOf(drawing);
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const { port1: ours, port2: port } = new MessageChannel();
    const showing = createShowing({ paceMs, clock, signal, show: watch.onDevelopment });
    ours.on('message', (development: Development) => showing.add(development));
    const closed = once(ours, 'close');
    const assignment: Assignment = { order, port, stop };
    const drawn = pool.run(assignment, { transferList: [port] }) as Promise<Uint8Array>; // the worker's own return type
    running.add(drawn);
    drawn.catch(() => undefined).finally(() => running.delete(drawn));
    try {
      const bytes = await unlessAborted(signal, drawn);
      await unlessAborted(signal, closed);
      await showing.finish();
      return { bytes, contentType: 'image/png', width: order.width, height: order.height };
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
      ours.close();
    }
  }

  return {
    name: 'sketch',
    warnings: ({ model, workflow }) =>
      model === undefined ? [] : [`model has no effect in the workflow ${workflow}, which is sketched here`],
    draw,
    async close() {
      closing.abort(new DOMException('The sketch engine was closed.', 'AbortError'));
      await Promise.allSettled(running);
      await pool.destroy();
    },
  };
}
