import { expect, test } from "vitest";
import { countPixels } from "./image-pixels.ts";
import { sniffImageType, toShownImageType } from "./image-type.ts";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));

const PNG = (width: string, height: string) =>
  bytes(`89504e470d0a1a0a 0000000d 49484452 ${width} ${height} 0802000000`);
const WEBP = (chunk: string, rest: string) => bytes(`52494646 00000000 57454250 ${chunk} 0a000000 ${rest}`);

test.each([
  ["PNG", PNG("00000280", "00000190"), 640 * 400],
  ["GIF", bytes("474946383961 8002 9001 000000"), 640 * 400],
  ["JPEG, behind other segments", bytes("ffd8 ffe00004 0000 ff ffc20011 08 0190 0280 03 0000000000"), 640 * 400],
  ["lossy WebP", WEBP("56503820", "000000 9d012a 8002 9001 0000"), 640 * 400],
  ["lossless WebP", WEBP("5650384c", "2f 7fc26300 0000000000000000"), 640 * 400],
  ["extended WebP", WEBP("56503858", "00000000 7f0200 8f0100"), 640 * 400],
  [
    "AVIF, its largest image",
    bytes(
      "0000001c 66747970 61766966 00000000 00000014 69737065 00000000 00000280 00000190 69737065 00000000 00000001 00000001",
    ),
    640 * 400,
  ],
])("the pixels of a %s stand in its head", (_, image, pixels) => {
  expect(countPixels(image, sniffImageType(image) ?? "")).toBe(pixels);
});

test.each([
  ["a head that is cut off", bytes("89504e470d0a1a0a 0000000d")],
  ["a JPEG without a frame", bytes("ffd8 ffe00004 0000 0000 0000 0000 0000")],
  ["a JPEG whose segment leads beyond its end", bytes("ffd8 ffe0ffff 0000 0000 0000 0000 0000")],
  ["a width of 0", PNG("00000000", "00000190")],
])("%s says nothing, and is not shown", (_, image) => {
  expect(countPixels(image, sniffImageType(image) ?? "")).toBeNull();
  expect(toShownImageType(image)).toBeNull();
});

test("a picture of more pixels than a page should hold is for downloading, however few bytes it has", () => {
  expect(toShownImageType(PNG("00001e00", "000010e0"))).toBe("image/png");
  expect(toShownImageType(PNG("0000c350", "0000c350"))).toBeNull();
});
