import { expect, test } from "vitest";
import { readByteRange } from "./byte-range.ts";

const read = (range: string, ifRange?: string) =>
  readByteRange(new Headers({ range, ...(ifRange && { "if-range": ifRange }) }), { bytes: 10, etag: '"a"' });

test("a range has bounds, a beginning, or a length from the end, and ends with the file", () => {
  expect(read("bytes=0-0")).toEqual({ from: 0, upTo: 1 });
  expect(read("bytes=2-5")).toEqual({ from: 2, upTo: 6 });
  expect(read("Bytes= 9 - 99 ")).toEqual({ from: 9, upTo: 10 });
  expect(read("bytes=4-")).toEqual({ from: 4, upTo: 10 });
  expect(read("bytes=-3")).toEqual({ from: 7, upTo: 10 });
  expect(read("bytes=-99")).toEqual({ from: 0, upTo: 10 });
});

test("a range behind the end has no bytes", () => {
  for (const range of ["bytes=10-", "bytes=10-12", "bytes=-0"])
    expect([range, read(range)]).toEqual([range, "unsatisfiable"]);
});

test("the whole file is sent for several ranges, for a range of another version, and for what is no range", () => {
  for (const range of ["", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "lines=0-1", "bytes=a-b"])
    expect([range, read(range)]).toEqual([range, null]);
  expect(read("bytes=0-1", '"a"')).toEqual({ from: 0, upTo: 2 });
  for (const other of ['"b"', 'W/"a"', "Sun, 06 Nov 1994 08:49:37 GMT"]) expect(read("bytes=0-1", other)).toBeNull();
});
