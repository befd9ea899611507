/** The memory that requests in flight may hold together. */
export interface InFlightBytes {
  /** A share for one request: empty at first, given back with `release`. */
  open(): BytesLease;
  readonly heldBytes: number;
}

export interface BytesLease {
  /** False, and nothing is taken, when there is no room left. */
  take(bytes: number): boolean;
  /** Gives all bytes back. May be called more than once. */
  release(): void;
}

export function createInFlightBytes(maxBytes: number): InFlightBytes {
  let heldBytes = 0;
  return {
    open() {
      let ownBytes = 0;
      return {
        take(bytes) {
          if (heldBytes + bytes > maxBytes) return false;
          heldBytes += bytes;
          ownBytes += bytes;
          return true;
        },
        release() {
          heldBytes -= ownBytes;
          ownBytes = 0;
        },
      };
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
