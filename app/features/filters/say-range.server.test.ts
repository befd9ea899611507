import { expect, test } from "vitest";
import { sayRange } from "./say-range.server.ts";
import { pickRanges } from "./time-ranges.ts";

const RANGES = pickRanges("1h", "24h");

test.each([
  ["", []],
  ["range=", []],
  ["range=24h", []],
  ["range=90d", ["This page has no time range “90d”: it shows the last 24 hours."]],
  ["range=0-60000", ["This page cannot show a chosen time: it shows the last 24 hours."]],
])("“%s” of the address", (query, said) => {
  expect(sayRange(new URLSearchParams(query), RANGES, "24h")).toEqual(said);
});
