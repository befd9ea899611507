import { expect, test } from "vitest";
import { type PreviousReading, parsePreviousReading, serializePreviousReading } from "./previous-reading.ts";

test("what an issue was to its reader survives a form", () => {
  const previous: PreviousReading[] = [
    { issueId: 17, subscription: "off" },
    { issueId: 18, subscription: null },
    { issueId: 19, isBookmarked: false },
    { issueId: 20, subscription: "mentioned", isBookmarked: true },
    { issueId: 21, seenAt: null },
    { issueId: 22, seenAt: 1_795_800_000_000 },
  ];
  const text = serializePreviousReading(previous);
  expect(text).toBe("reading/17;off,18;-,19;;0,20;mentioned;1,21;;;0,22;;;1795800000000");
  expect(parsePreviousReading(text)).toEqual(previous);
  expect(serializePreviousReading([])).toBeNull();
});

test.each([
  "",
  "reading/",
  "reading/17",
  "reading/x;off",
  "reading/17;asked",
  "reading/17;;2",
  "reading/17;;;x",
  "triage/17;-",
  null,
])("%j is refused", (text) => expect(parsePreviousReading(text)).toBeNull());
