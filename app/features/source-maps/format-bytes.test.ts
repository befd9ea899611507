import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test("sizes are said in the unit that keeps them short", () => {
  expect([0, 1, 1023, 1024, 4300, 13 * 1024 ** 2, 1.5 * 1024 ** 3].map(formatBytes)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1.0 KB",
    "4.2 KB",
    "13 MB",
    "1.5 GB",
  ]);
});
