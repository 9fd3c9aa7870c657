import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** About a millisecond's work. */
const PIECE = 1024 ** 2 / 2;

/** Of bytes that may be many, in hexadecimal. Between two pieces everybody else has a turn. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + PIECE));
  }
  return hash.digest('hex');
}
