import type { Clock } from '../../../clock.ts';
import type { Development } from '../engine.ts';
import { smallPreview } from './preview.ts';

/** A percentage and the preview that belongs to it come a moment apart, and are shown together. */
const GATHER_MS = 100;

/** Shows what comes faster than it can be shown: the newest percentage with the newest preview, one at a time. */
export function createDevelopments({
  show,
  clock,
  signal,
}: {
  show(development: Development): void;
  clock: Clock;
  /** Ends the showing. */
  signal: AbortSignal;
}) {
  let percent = 0;
  let shown = 0;
  let frame: Uint8Array | undefined;
  let showing = false;

  async function run(): Promise<void> {
    while (percent > shown || frame) {
      await clock.sleep(GATHER_MS, signal);
      const newest = frame;
      frame = undefined;
      const preview = newest && (await smallPreview(newest));
      if (signal.aborted) return;
      shown = percent;
      show({ percent, ...(preview && { preview }) });
    }
  }

  function wake(): void {
    if (showing || signal.aborted) return;
    showing = true;
    // Only the end of the drawing can interrupt it.
    run()
      .catch(() => undefined)
      .finally(() => {
        showing = false;
      });
  }

  return {
    reach(reached: number): void {
      if (reached <= percent) return;
      percent = reached;
      wake();
    },
    /** A preview frame of the server. */
    see(newest: Uint8Array): void {
      frame = newest;
      wake();
    },
  };
}
