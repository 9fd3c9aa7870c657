export { collectBytes } from './bytes/collect-bytes.ts';
export { essentialBytes, keepChunks, pngChunks } from './bytes/essential-bytes.ts';
export { holdsMoreValues } from './bytes/json-values.ts';
