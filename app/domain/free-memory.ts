/** Bytes. Shorter buffers are as cheap to collect. */
const WORTH_FREEING = 1024;

/**
 * Frees the memory of these bytes at once: the view is empty afterwards, and so is every other view of its buffer. Buffers that are left
 * to V8 wait for a full collection, and cause it: one of 20 KB takes five times as much processor time.
 *
 * Call it only if nobody uses the memory any more, which includes calls of the system that were given it. Bytes that do not fill their
 * buffer stay, because others may be in it.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) freeBuffer(buffer);
}

/** The same for a whole buffer. */
export function freeBuffer(buffer: ArrayBufferLike): void {
  if (buffer.byteLength >= WORTH_FREEING && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
