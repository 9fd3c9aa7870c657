import type { MessagePort } from 'node:worker_threads';
import type { Development } from '../engine.ts';
import type { Order } from './order.ts';
import { passes, type Stage } from './passes.ts';
import { png, preview } from './print.ts';

/** One picture to draw, as it travels to a worker thread. */
export interface Assignment {
  order: Order;
  /** Where developments go, in order. */
  port: MessagePort;
  /** One Int32 in shared memory: not 0 once the picture is no longer wanted. */
  stop: SharedArrayBuffer;
}

/** Pictures between which a preview is worth sending, as a share of the whole way. */
const PREVIEW_EVERY = 0.07;

/** Draws one picture and answers its PNG; rejects with an `AbortError` when told to stop. */
export async function draw({ order, port, stop }: Assignment): Promise<Uint8Array> {
  const flag = new Int32Array(stop);
  const check = () => {
    if (Atomics.load(flag, 0) !== 0) throw new DOMException('The drawing was given up.', 'AbortError');
  };
  try {
    let shown = -1;
    let last: Stage | undefined;
    for await (const stage of passes(order, check)) {
      check();
      last = stage;
      const development: Development = { percent: Math.min(99, Math.floor(stage.done * 99)) };
      if (stage.whole && stage.done - shown >= PREVIEW_EVERY) {
        const small = await preview(stage.canvas, order, 0.08 + stage.done * 0.95);
        if (small) development.preview = small;
        shown = stage.done;
      }
      port.postMessage(development);
      await breath();
    }
    if (!last) throw new Error('The sketch engine made no pass over the picture.');
    return await png(last.canvas, order.seed);
  } finally {
    port.close();
  }
}

/** Lets messages out between two passes. */
const breath = () => new Promise<void>((resolve) => setImmediate(resolve));
