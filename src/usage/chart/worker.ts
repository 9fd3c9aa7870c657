import { render } from './render.ts';
import type { UsagePicture } from './usage-picture.ts';

/** What a worker thread runs. */
export const draw = (picture: UsagePicture): Uint8Array => render(picture);
