import { MIB } from "../domain/bytes.ts";

/** The most memory that an event may hold of maps and functions. A single thing may be larger: a map of 120 MB takes some 210. */
const MAX_OF_EVENT = 256 * MIB;
/** The most memory that all events together may hold while they are mapped. A thing that several events hold counts once. */
const MAX_OF_ALL = 768 * MIB;

interface Sized {
  readonly memoryBytes: number;
}

/** Bounds the maps that events hold while they are mapped: an event may name 200 files, and each may have a map of 128 MB. */
export class MapMemory {
  readonly #holders = new Map<Sized, number>();
  readonly #limits: { ofEvent: number; ofAll: number };
  #bytes = 0;

  constructor(limits: Partial<{ ofEvent: number; ofAll: number }> = {}) {
    this.#limits = { ofEvent: MAX_OF_EVENT, ofAll: MAX_OF_ALL, ...limits };
  }

  openShare(): MapShare {
    const { ofEvent } = this.#limits;
    const held = new Set<Sized>();
    let bytes = 0;
    let isOver = false;
    return {
      take: (thing) => {
        if (held.has(thing)) return "held";
        if (held.size > 0 && bytes + thing.memoryBytes > ofEvent) return "event-has-too-much";
        if (isOver || !this.#hold(thing)) return "all-have-too-much";
        held.add(thing);
        bytes += thing.memoryBytes;
        return "held";
      },
      release: () => {
        isOver = true;
        for (const thing of held) this.#release(thing);
        held.clear();
      },
    };
  }

  #hold(thing: Sized): boolean {
    const count = this.#holders.get(thing) ?? 0;
    if (count === 0) {
      if (this.#bytes > 0 && this.#bytes + thing.memoryBytes > this.#limits.ofAll) return false;
      this.#bytes += thing.memoryBytes;
    }
    this.#holders.set(thing, count + 1);
    return true;
  }

  #release(thing: Sized): void {
    const count = (this.#holders.get(thing) ?? 1) - 1;
    if (count > 0) {
      this.#holders.set(thing, count);
      return;
    }
    this.#holders.delete(thing);
    this.#bytes -= thing.memoryBytes;
  }
}

export interface MapShare {
  /** Tries to hold the thing. If it is not held, the caller must let it go at once. */
  take(thing: Sized): "held" | "event-has-too-much" | "all-have-too-much";
  /** Releases everything. Nothing can be taken afterwards. */
  release(): void;
}
