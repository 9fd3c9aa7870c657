export { encodePreview, PREVIEW_SIDE } from './encode.ts';
export {
  isLarge,
  type Margins,
  type Sketch,
  type SketchProgress,
  type SketchRequest,
  sizeOf,
} from './sketch.ts';
export { createSketcher, type SketcherOptions } from './sketcher.ts';
