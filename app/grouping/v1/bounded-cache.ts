/**
 * Caches a pure function of a short string. Function names, paths and modules repeat with every event, and cleaning them costs regular
 * expressions. A full cache is emptied: hits need no bookkeeping, and a flood of names that never repeat costs as much as without a cache.
 */
export function createBoundedCache<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    if (text.length <= MAX_CACHED_CHARS) {
      if (known.size >= MAX_CACHED_NAMES) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

/** About 1 MB per cache at 100 characters a name: enough for the names of a few hundred applications. */
const MAX_CACHED_NAMES = 8_192;
const MAX_CACHED_CHARS = 512;
