import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { createThreads } from '@darkroom/process/threads';
import { type Clock, createInFlight, raceAbort, systemClock, withEither } from '@darkroom/time';
import { createPacedPreview } from './paced-preview.ts';
import { isLarge, type Sketch, type SketchProgress, type SketchRequest, sizeOf } from './sketch.ts';
import type { render } from './worker.ts';

export interface SketcherOptions {
  /** Milliseconds that a picture takes at least, so that people can watch it develop. 0, the default: no wait. */
  paceMs?: number;
  /** The most worker threads. Default: one less than the cores, but at least one. */
  workers?: number;
  clock?: Clock;
}

interface PaintOptions {
  signal: AbortSignal;
  onProgress(progress: SketchProgress): void;
}

/** Milliseconds after which an idle worker ends. */
const IDLE_MS = 20_000;

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? '../dist/worker.js' : './worker.js', import.meta.url)
  .href;

/**
 * Reads the prompt with a small lexicon, composes a scene and renders it in worker threads. There is no model and no
 * AI. The same request always gives the same pixels.
 */
export function createSketcher({
  paceMs = 0,
  workers = Math.max(1, availableParallelism() - 1),
  clock = systemClock,
}: SketcherOptions = {}) {
  const threads = (maxThreads: number) =>
    createThreads<{ render: typeof render }>({ worker: WORKER, maxThreads, idleMs: IDLE_MS });
  const usual = threads(workers);
  // One after the other, so that their memory is taken once.
  const forLarge = threads(1);
  const closing = new AbortController();
  const inFlight = createInFlight();

  async function paintOpen(request: SketchRequest, { signal, onProgress }: PaintOptions): Promise<Sketch> {
    signal.throwIfAborted();
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const { port1: ours, port2: port } = new MessageChannel();
    const preview = createPacedPreview({ paceMs, clock, signal, onProgress });
    ours.on('message', (progress: SketchProgress) => preview.add(progress));
    const closed = once(ours, 'close');
    const chosen = isLarge(request) ? forLarge : usual;
    const rendered = inFlight.add(chosen.run('render', { request, port, stop }, { transferList: [port] }));
    try {
      const { png: bytes, notDrawn } = await raceAbort(signal, rendered);
      await raceAbort(signal, closed);
      await preview.finish();
      return { bytes, ...sizeOf(request), notDrawn };
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
      ours.close();
    }
  }

  return {
    /** Rejects with the signal's reason once that aborts, and with an `AbortError` where the sketcher is closed. */
    paint: (request: SketchRequest, options: PaintOptions): Promise<Sketch> =>
      withEither([options.signal, closing.signal], (signal) => paintOpen(request, { ...options, signal })),
    /** Aborts what is being painted and ends the worker threads. */
    async close(): Promise<void> {
      closing.abort(new DOMException('The sketcher was closed.', 'AbortError'));
      await inFlight.settled();
      await Promise.all([usual.close(), forLarge.close()]);
    },
  };
}
