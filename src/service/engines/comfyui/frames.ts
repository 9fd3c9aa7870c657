/** Binary messages begin with their kind, big-endian. Kind 2 never leaves the server; 3 is text for the editor. */
const PREVIEW = 1;
const PREVIEW_WITH_METADATA = 4;
const WORD = 4;

/** The picture (JPEG or PNG) in a preview frame; undefined for every other frame. Never throws. */
export function previewIn(frame: ArrayBuffer): Uint8Array | undefined {
  if (frame.byteLength <= 2 * WORD) return undefined;
  const view = new DataView(frame);
  switch (view.getUint32(0)) {
    case PREVIEW:
      // The second word says JPEG or PNG, which the picture itself says better.
      return new Uint8Array(frame, 2 * WORD);
    case PREVIEW_WITH_METADATA: {
      const start = 2 * WORD + view.getUint32(WORD);
      return start < frame.byteLength ? new Uint8Array(frame, start) : undefined;
    }
    default:
      return undefined;
  }
}
