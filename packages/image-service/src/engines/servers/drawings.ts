import { createInFlight } from '@darkroom/time';
import type { DrawnPicture } from '../engine.ts';

/** The drawings of an engine that are under way. */
interface Drawings {
  /** Aborts when the engine is closed. */
  closing: AbortSignal;
  /** `draw` is given a signal that aborts with `signal`, and when the engine is closed. */
  run(signal: AbortSignal, draw: (signal: AbortSignal) => Promise<DrawnPicture>): Promise<DrawnPicture>;
  /** Stops them, and waits until they have ended. */
  close(): Promise<void>;
}

export function createDrawings(): Drawings {
  const closing = new AbortController();
  const inFlight = createInFlight();

  return {
    closing: closing.signal,

    run: (signal, draw) => inFlight.add(draw(AbortSignal.any([signal, closing.signal]))),

    async close() {
      closing.abort('closing');
      await inFlight.settled();
    },
  };
}
