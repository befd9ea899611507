import { LRUCache } from "lru-cache";

/** The result of a load: the value, and the memory that it takes. */
export interface Loaded<Value> {
  value: Value;
  bytes: number;
  /** False: it serves those who wait for it, and is loaded again the next time. */
  isLasting?: boolean;
}

export interface MemoryCacheStats {
  entries: number;
  bytes: number;
  hits: number;
  loads: number;
}

/** The cost of an entry beside its value: key, promise, place in the cache. */
const ENTRY_BYTES = 500;

/**
 * Keeps what was loaded, those used last, within a budget of bytes; a value that is larger than the budget is not kept. One
 * load per key runs at a time. A load that throws leaves nothing behind, so an answer that is to be kept, «there is none»
 * too, is given as a value. Keys name what never changes.
 */
export class MemoryCache {
  readonly #entries: LRUCache<string, Loaded<unknown>>;
  readonly #loading = new Map<string, Promise<Loaded<unknown>>>();
  #hits = 0;
  #loads = 0;

  constructor(options: { maxBytes: number }) {
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES,
    });
  }

  stats(): MemoryCacheStats {
    const { size: entries, calculatedSize: bytes } = this.#entries;
    return { entries, bytes, hits: this.#hits, loads: this.#loads };
  }

  /** The caller keeps to one type of value per key. */
  async get<Value>(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#hits++;
      return known.value as Value;
    }
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      this.#loads++;
      loading = this.#load(key, load);
      this.#loading.set(key, loading);
    }
    return (await loading).value as Value;
  }

  /** Whether the value is kept, or is being loaded. */
  has(key: string): boolean {
    return this.#entries.has(key) || this.#loading.has(key);
  }

  /** A value that is being loaded is not kept either. */
  forget(isGone: (key: string) => boolean): void {
    for (const key of [...this.#entries.keys(), ...this.#loading.keys()]) {
      if (!isGone(key)) continue;
      this.#entries.delete(key);
      this.#loading.delete(key);
    }
  }

  clear(): void {
    this.#entries.clear();
  }

  async #load(key: string, load: () => Promise<Loaded<unknown>>): Promise<Loaded<unknown>> {
    try {
      const loaded = await load();
      if (loaded.isLasting !== false && this.#loading.has(key)) this.#entries.set(key, loaded);
      return loaded;
    } finally {
      this.#loading.delete(key);
    }
  }
}
