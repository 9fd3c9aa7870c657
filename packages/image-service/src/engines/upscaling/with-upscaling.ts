import { isDrawnFromWords } from '../drawn-from-words.ts';
import type { Engine, InputPicture, OperationOfPictures, Source } from '../engine.ts';
import type { Upscaler } from './upscaler.ts';

type Upscaling = Extract<Source, { operation: 'upscale' }>;

/**
 * The same engine, in whose workflows every picture can be enlarged: those that it does not enlarge itself, by
 * `upscaler`.
 */
export function withUpscaling(engine: Engine, upscaler: Upscaler): Engine {
  const isItsOwn = (image: InputPicture, upscale: OperationOfPictures | undefined) =>
    upscale !== undefined && (!upscale.ownOnly || isDrawnFromWords(image));

  /** What is enlarged here; undefined where the engine does whatever is asked for. */
  async function leftToUs(
    source: Source | undefined,
    ...workflow: Parameters<NonNullable<Engine['operations']>>
  ): Promise<Upscaling | undefined> {
    if (source?.operation !== 'upscale') return undefined;
    const { upscale } = (await engine.operations?.(...workflow)) ?? {};
    return isItsOwn(source.image, upscale) ? undefined : source;
  }

  return {
    ...engine,

    async operations(workflow, model) {
      const own = (await engine.operations?.(workflow, model)) ?? {};
      if (own.upscale && !own.upscale.ownOnly) return own;
      const warning = (image: InputPicture) =>
        isItsOwn(image, own.upscale) ? undefined : upscaler.shortcoming;
      return { ...own, upscale: { warning } };
    },

    async rejection(request) {
      const { source, workflow, model } = request;
      return (await leftToUs(source, workflow, model)) ? undefined : engine.rejection?.(request);
    },

    async isBeside(request) {
      const { source, workflow, model } = request;
      if (await leftToUs(source, workflow, model)) return true;
      return (await engine.isBeside?.(request)) ?? false;
    },

    async draw(drawing, options) {
      const ours = await leftToUs(drawing.source, drawing.workflow, drawing.model);
      if (!ours) return engine.draw(drawing, options);
      return upscaler.enlarge(await options.readInput(ours.image), ours.scale, options);
    },

    async close() {
      await Promise.all([engine.close(), upscaler.close()]);
    },
  };
}
