import { describe, expect, test } from "vitest";
import { parseTimestampMs, parseTimestampSeconds } from "./timestamps.ts";

const SECONDS = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;

describe("parseTimestampSeconds", () => {
  test.each([
    ["seconds", SECONDS],
    ["a numeric string", String(SECONDS)],
    ["milliseconds by mistake", SECONDS * 1000],
    ["UTC", "2026-01-02T03:04:05Z"],
    ["lower case", "2026-01-02t03:04:05z"],
    ["an offset with a colon", "2026-01-02T04:04:05+01:00"],
    ["an offset without", "2026-01-01T21:34:05-0530"],
    ["a naive time, which is UTC", "2026-01-02T03:04:05"],
    ["a space for the T", "2026-01-02 03:04:05"],
    ["a space before the offset", "2026-01-02 03:04:05 +0000"],
    ["space around it", " 2026-01-02T03:04:05Z "],
  ])("reads %s", (_, value) => {
    expect(parseTimestampSeconds(value)).toBe(SECONDS);
  });

  test("keeps microseconds, and tolerates more digits than it keeps", () => {
    expect(parseTimestampSeconds("2026-01-02T03:04:05.123456Z")).toBe(SECONDS + 0.123456);
    expect(parseTimestampSeconds("2026-01-02T03:04:05.123456789Z")).toBeCloseTo(SECONDS + 0.123456789, 6);
    expect(parseTimestampSeconds(SECONDS + 0.123456)).toBe(SECONDS + 0.123456);
  });

  test("takes numbers up to 10^11 as seconds, and larger ones as milliseconds", () => {
    expect(parseTimestampSeconds(1e11)).toBe(1e11);
    expect(parseTimestampSeconds(1e11 + 1000)).toBe(1e8 + 1);
    expect(parseTimestampSeconds(1e14)).toBe(1e11);
    expect(parseTimestampSeconds(1e14 + 1000)).toBeNull();
  });

  test.each([
    ["the time before 1970", -1],
    ["a date before 1970", "1969-12-31T23:59:59Z"],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a day that does not exist", "2026-02-30T00:00:00Z"],
    ["a month that does not exist", "2026-13-01T00:00:00Z"],
    ["an hour that does not exist", "2026-01-02T24:00:00Z"],
    ["words", "yesterday"],
    ["an empty string", ""],
    ["an object", {}],
    ["null", null],
    ["hexadecimal", "0x10"],
    ["text without end", "1".repeat(100)],
  ])("gives null for %s", (_, value) => {
    expect(parseTimestampSeconds(value)).toBeNull();
  });

  test("knows leap days and the leap second", () => {
    expect(parseTimestampSeconds("2024-02-29T00:00:00Z")).toBe(Date.UTC(2024, 1, 29) / 1000);
    expect(parseTimestampSeconds("2016-12-31T23:59:60Z")).toBe(Date.UTC(2017, 0, 1) / 1000);
  });
});

test("what Date writes is read as every other way to write it", () => {
  const edges = [
    "1969-12-31",
    "1970-01-01",
    "2024-02-28",
    "2024-02-29",
    "2023-02-29",
    "2026-00-10",
    "2026-13-10",
    "2026-12-31",
  ];
  const times = [
    "00:00:00.000",
    "23:59:59.999",
    "24:00:00.000",
    "12:60:00.000",
    "23:59:60.000",
    "12:34:56.001",
    "1a:34:56.001",
  ];
  for (const day of edges) {
    for (const time of times) {
      const text = `${day}T${time}`;
      expect(parseTimestampSeconds(`${text}Z`), text).toBe(parseTimestampSeconds(`${text}+00:00`));
    }
  }
});

test("parseTimestampMs gives whole milliseconds", () => {
  expect(parseTimestampMs("2026-01-02T03:04:05.1236Z")).toBe(SECONDS * 1000 + 124);
  expect(parseTimestampMs(1.5)).toBe(1500);
  expect(parseTimestampMs("no")).toBeNull();
});
