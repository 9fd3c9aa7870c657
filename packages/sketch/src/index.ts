export { encodePreview, PREVIEW_SIDE } from './encode.ts';
export type { Margins, Sketch, SketchProgress, SketchRequest } from './sketch.ts';
export { createSketcher, type Sketcher, type SketcherOptions } from './sketcher.ts';
