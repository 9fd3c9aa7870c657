/**
 * Bytes as they arrive, in one piece of memory that grows with them: a peer may send each by itself, and an object for
 * each takes a hundred times as much.
 */
export function collectBytes() {
  let memory = Buffer.alloc(0);
  let length = 0;
  return {
    add(part: Uint8Array): void {
      const end = length + part.length;
      if (end > memory.length) {
        const larger = Buffer.allocUnsafe(Math.max(end, 2 * memory.length));
        larger.set(memory.subarray(0, length));
        memory = larger;
      }
      memory.set(part, length);
      length = end;
    },
    length: (): number => length,
    /** All of them, without what was left of the memory. */
    all: (): Buffer<ArrayBuffer> =>
      length === memory.length ? memory : Buffer.from(memory.subarray(0, length)),
  };
}
