import { slowLineMs } from '@darkroom/image-api/limits';

/** A whole message has no more: Discord's documentation, "Create Message". */
const MESSAGE_BYTES = 25 * 1024 * 1024;

/** How long a slow line takes to send a message of so many bytes, in milliseconds: under two minutes. */
export const transferMs = (bytes: number): number => slowLineMs(Math.min(bytes, MESSAGE_BYTES));
