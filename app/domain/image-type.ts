import { MIB } from "./bytes.ts";
import { countPixels } from "./image-pixels.ts";

/** Larger images are for downloading. */
export const MAX_SHOWN_IMAGE_BYTES = 16 * MIB;

/** Two screens of 8K. A browser takes 256 MB for as many, and a file of a megabyte can have ten times more. */
const MAX_SHOWN_PIXELS = 64 * MIB;

/** The first bytes of image formats that hold only pixels. SVG is not among them: it can hold script. */
const SIGNATURES: ReadonlyArray<[type: string, ...parts: Array<[at: number, bytes: readonly number[]]>]> = [
  ["image/png", [0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]],
  ["image/jpeg", [0, [0xff, 0xd8, 0xff]]],
  ["image/gif", [0, ascii("GIF87a")]],
  ["image/gif", [0, ascii("GIF89a")]],
  ["image/webp", [0, ascii("RIFF")], [8, ascii("WEBP")]],
  ["image/avif", [4, ascii("ftypavif")]],
];

/** The type of an image that pages show. Null: it is none, or too large. */
export function toShownImageType(bytes: Uint8Array): string | null {
  const type = sniffImageType(bytes);
  return type !== null && (countPixels(bytes, type) ?? Number.POSITIVE_INFINITY) <= MAX_SHOWN_PIXELS ? type : null;
}

/** The type of an image by its first bytes, whatever its name or sender says. Null: pages may not show it. */
export function sniffImageType(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_SHOWN_IMAGE_BYTES) return null;
  const found = SIGNATURES.find(([, ...parts]) =>
    parts.every(([at, signature]) => signature.every((byte, index) => bytes[at + index] === byte)),
  );
  return found?.[0] ?? null;
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}
