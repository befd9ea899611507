/** Bytes in which the size of an AVIF stands: its boxes come before the pixels. */
const AVIF_HEAD_BYTES = 65_536;

/**
 * Width times height of an image, as its head says: what a browser allocates to show it, four bytes for each. Null: the head does not say it.
 *
 * @param type see `sniffImageType`
 */
export function countPixels(bytes: Uint8Array, type: string): number | null {
  const size = SIZES[type]?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? null;
  return size === null || size[0] === 0 || size[1] === 0 ? null : size[0] * size[1];
}

type Size = readonly [width: number, height: number];

const SIZES: Readonly<Record<string, (view: DataView) => Size | null>> = {
  "image/png": (view) => (view.byteLength < 24 ? null : [view.getUint32(16), view.getUint32(20)]),
  "image/gif": (view) => (view.byteLength < 10 ? null : [view.getUint16(6, true), view.getUint16(8, true)]),
  "image/jpeg": readJpeg,
  "image/webp": readWebp,
  "image/avif": readAvif,
};

/** Goes from marker to marker up to the frame (ITU-T T.81, B.1 and B.2). */
function readJpeg(view: DataView): Size | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // A marker may follow any number of bytes 0xFF.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Lossy, lossless and extended files (RFC 9649, 2.5 to 2.7). */
function readWebp(view: DataView): Size | null {
  if (view.byteLength < 30) return null;
  const kind = readText(view, 12, 4);
  if (kind === "VP8X") return [readUint24(view, 24) + 1, readUint24(view, 27) + 1];
  if (kind === "VP8 ") return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (kind !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** The largest of its images: a grid has one for each part and one for the whole (ISO/IEC 23008-12, 6.5.3). */
function readAvif(view: DataView): Size | null {
  let largest: Size | null = null;
  const end = Math.min(view.byteLength, AVIF_HEAD_BYTES) - 16;
  for (let at = 0; at <= end; at++) {
    if (view.getUint32(at) !== 0x69_73_70_65) continue;
    const size = [view.getUint32(at + 8), view.getUint32(at + 12)] as const;
    if (largest === null || size[0] * size[1] > largest[0] * largest[1]) largest = size;
  }
  return largest;
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function readText(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}
