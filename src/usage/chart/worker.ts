/** What a worker thread runs. */
export { render } from './render.ts';
