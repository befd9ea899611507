/** Values in all, keys included. An event of the largest size has some ten thousand. */
const MAX_VALUES = 50_000;
/** Lists and objects inside one another. */
const MAX_DEPTH = 100;

/** Bytes of the kinds with a fixed size, from 0xca: float, double, and whole numbers without and with a sign. */
const NUMBER_BYTES = [5, 9, 2, 3, 5, 9, 2, 3, 5, 9];

/**
 * Whether decoding takes little time. An empty object is one byte, and a list in a list is another: a megabyte of these takes a second to
 * become objects, and ten milliseconds here. False as well for bytes and types of one's own, which JSON does not have.
 */
export function isModestMessagePack(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** How many values the open lists and objects still lack. */
  const missing: number[] = [];
  let count = 0;
  try {
    for (let at = 0; at < bytes.length; ) {
      const head = readHead(view, at);
      if (head === null || ++count > MAX_VALUES) return false;
      at += head.bytes;
      if (head.values > 0 && missing.push(head.values) > MAX_DEPTH) return false;
      if (head.values === 0) closeFull(missing);
    }
    // A list that says it has millions of values, and has none, would get the memory for them.
    return missing.length === 0;
  } catch (error) {
    // A length that points outside of the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** One more value is complete, and with it perhaps the list around it. */
function closeFull(missing: number[]): void {
  for (let last = missing.pop(); last !== undefined; last = missing.pop()) {
    if (last === 1) continue;
    missing.push(last - 1);
    return;
  }
}

/** The bytes of a value without the values inside it, and their number. Null: no value of JSON. */
function readHead(view: DataView, at: number): { bytes: number; values: number } | null {
  const kind = view.getUint8(at);
  if (kind < 0x80 || kind >= 0xe0 || kind === 0xc0 || kind === 0xc2 || kind === 0xc3) return { bytes: 1, values: 0 };
  if (kind < 0x90) return { bytes: 1, values: 2 * (kind & 0x0f) };
  if (kind < 0xa0) return { bytes: 1, values: kind & 0x0f };
  if (kind < 0xc0) return { bytes: 1 + (kind & 0x1f), values: 0 };
  const numberBytes = NUMBER_BYTES[kind - 0xca];
  if (numberBytes !== undefined) return { bytes: numberBytes, values: 0 };
  switch (kind) {
    case 0xd9:
      return { bytes: 2 + view.getUint8(at + 1), values: 0 };
    case 0xda:
      return { bytes: 3 + view.getUint16(at + 1), values: 0 };
    case 0xdb:
      return { bytes: 5 + view.getUint32(at + 1), values: 0 };
    case 0xdc:
      return { bytes: 3, values: view.getUint16(at + 1) };
    case 0xdd:
      return { bytes: 5, values: view.getUint32(at + 1) };
    case 0xde:
      return { bytes: 3, values: 2 * view.getUint16(at + 1) };
    case 0xdf:
      return { bytes: 5, values: 2 * view.getUint32(at + 1) };
    default:
      return null;
  }
}
