/** SDKs and their DSNs: far more than the projects of a server have. */
const MAX_REMEMBERED = 1_024;
/** Longer texts are not remembered. So strangers can make a cache hold half a megabyte at most. */
const MAX_CHARS = 512;

/**
 * Caches a pure function of a text: an SDK sends the same header and the same DSN with every request. A full cache is emptied, so that a
 * flood of new texts costs as much as without a cache. Callers share the returned objects.
 */
export function rememberTexts<Value extends object | string | null>(
  compute: (text: string) => Value,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const value = compute(text);
    if (text.length > MAX_CHARS) return value;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, value);
    return value;
  };
}
