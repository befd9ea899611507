import { expect, test } from "vitest";
import { readSeverityNumber, readSpanKind, readStatusCode } from "./enum-numbers.ts";

test("numbers are taken as they are, and names as their numbers", () => {
  expect([2, "SPAN_KIND_SERVER", "SPAN_KIND_CONSUMER"].map(readSpanKind)).toEqual([2, 2, 5]);
  expect([2, "STATUS_CODE_ERROR", "STATUS_CODE_OK"].map(readStatusCode)).toEqual([2, 2, 1]);
  expect([17, "SEVERITY_NUMBER_ERROR", "SEVERITY_NUMBER_FATAL4"].map(readSeverityNumber)).toEqual([17, 17, 24]);
});

test("what is neither is none", () => {
  const values = [undefined, null, -1, 1.5, 99, "2", "server", {}];
  for (const read of [readSpanKind, readStatusCode, readSeverityNumber])
    expect(values.map(read)).toEqual(values.map(() => 0));
});
