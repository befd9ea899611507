/** SDKs and their DSNs: far more than the projects of a server have. */
const MAX_REMEMBERED = 1_024;
/** With those, half a megabyte that strangers can make a cache hold. */
const MAX_CHARS = 512;

/**
 * Remembers what a pure function of a text gave: an SDK sends the same header and the same DSN with every request. When full it is
 * emptied, so that a flood of texts that never come again costs what it would cost without. Those who ask share what they get.
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
