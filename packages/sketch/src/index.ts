export { encodePreview, PREVIEW_SIDE } from './encode.ts';
export type { Sketch, SketchProgress, SketchRequest } from './sketch.ts';
export { createSketcher, type Sketcher, type SketcherOptions } from './sketcher.ts';
