import type { MessagePort } from 'node:worker_threads';
import { encodePng, renderPreview } from './encode.ts';
import { LOOKS } from './looks/workflows.ts';
import { type RenderPass, renderPasses } from './render-passes.ts';
import { type SketchProgress, type SketchRequest, sizeOf } from './sketch.ts';

/** A picture to render, as it is posted to a worker thread. */
interface RenderTask {
  request: SketchRequest;
  /** Receives the progress, in order. */
  port: MessagePort;
  /** One Int32 in shared memory: not 0 once the picture is to be aborted. */
  stop: SharedArrayBuffer;
}

/** The share of the progress between two previews. */
const PREVIEW_EVERY = 0.07;

/** Renders one picture. Rejects with an `AbortError` once `stop` is set. */
export async function render({ request, port, stop }: RenderTask) {
  const flag = new Int32Array(stop);
  const check = () => {
    if (Atomics.load(flag, 0) !== 0) throw new DOMException('The drawing was aborted.', 'AbortError');
  };
  try {
    let previewedAt = -1;
    let last: RenderPass | undefined;
    for await (const pass of renderPasses(request, check)) {
      check();
      last = pass;
      const progress: SketchProgress = { percent: Math.min(99, Math.floor(pass.done * 99)) };
      if (pass.whole && pass.done - previewedAt >= PREVIEW_EVERY) {
        const preview = await renderPreview(pass.canvas, sizeOf(request), 0.08 + pass.done * 0.95);
        if (preview) progress.preview = preview;
        previewedAt = pass.done;
      }
      port.postMessage(progress);
      await yieldToEventLoop();
    }
    if (!last) throw new Error('The request has no render pass.');
    const { canvas, scene } = last;
    const border = LOOKS[scene.style].border?.(scene) ?? 0;
    return {
      png: await encodePng(canvas, request, Math.ceil(border * request.height)),
      notDrawn: scene.notDrawn,
    };
  } finally {
    port.close();
  }
}

/** Lets messages be sent between two passes. */
const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
