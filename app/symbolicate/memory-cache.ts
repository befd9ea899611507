/** What a load gives: the value, and what it takes in memory. */
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
  evictions: number;
}

/** What an entry costs beside its value: key, promise, place in the map. */
const ENTRY_BYTES = 500;

/**
 * Keeps what was loaded, those used last, within a budget of bytes. One load per key at a time, whoever asks; a load
 * that throws leaves nothing behind, so an answer that is to be kept, «there is none» too, is given as a value. Keys
 * name what never changes.
 */
export class MemoryCache {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Loaded<unknown>>();
  readonly #loading = new Map<string, Promise<Loaded<unknown>>>();
  #stats: MemoryCacheStats = { entries: 0, bytes: 0, hits: 0, loads: 0, evictions: 0 };

  constructor(options: { maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  stats(): MemoryCacheStats {
    return { ...this.#stats, entries: this.#entries.size };
  }

  /** The caller keeps to one type of value per key. */
  async get<Value>(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#stats.hits++;
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value as Value;
    }
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      this.#stats.loads++;
      loading = this.#load(key, load);
      this.#loading.set(key, loading);
    }
    return (await loading).value as Value;
  }

  clear(): void {
    this.#entries.clear();
    this.#stats.bytes = 0;
  }

  async #load(key: string, load: () => Promise<Loaded<unknown>>): Promise<Loaded<unknown>> {
    try {
      const loaded = await load();
      if (loaded.isLasting !== false) this.#keep(key, { value: loaded.value, bytes: loaded.bytes + ENTRY_BYTES });
      return loaded;
    } finally {
      this.#loading.delete(key);
    }
  }

  #keep(key: string, loaded: Loaded<unknown>): void {
    // Alone larger than the budget: it serves those who wait for it, and goes.
    if (loaded.bytes > this.#maxBytes) return;
    this.#entries.set(key, loaded);
    this.#stats.bytes += loaded.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#stats.bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#stats.bytes -= bytes;
      this.#stats.evictions++;
    }
  }
}
