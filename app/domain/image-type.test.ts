import { expect, test } from "vitest";
import { MAX_SHOWN_IMAGE_BYTES, sniffImageType } from "./image-type.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

test("an image is known by its bytes", () => {
  expect(sniffImageType(bytes("\x89PNG\r\n\x1a\n\0\0"))).toBe("image/png");
  expect(sniffImageType(bytes("\xff\xd8\xff\xe0"))).toBe("image/jpeg");
  expect(sniffImageType(bytes("GIF89a.."))).toBe("image/gif");
  expect(sniffImageType(bytes("RIFF\0\0\0\0WEBPVP8 "))).toBe("image/webp");
  expect(sniffImageType(bytes("\0\0\0\x20ftypavif"))).toBe("image/avif");
});

test("nothing that could run is one, whatever it is called", () => {
  for (const text of [
    "",
    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "<html>GIF89a",
    "RIFF\0\0\0\0WAVE",
    "\x89PNG",
    "%PDF-1.7",
  ])
    expect(sniffImageType(bytes(text))).toBeNull();
  const huge = new Uint8Array(MAX_SHOWN_IMAGE_BYTES + 1);
  huge.set([0xff, 0xd8, 0xff]);
  expect(sniffImageType(huge)).toBeNull();
});
