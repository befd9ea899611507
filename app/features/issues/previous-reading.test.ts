import { expect, test } from "vitest";
import { type PreviousReading, parsePreviousReading, serializePreviousReading } from "./previous-reading.ts";

test("what an issue was to its reader survives a form", () => {
  const previous: PreviousReading[] = [
    { issueId: 17, subscription: "off" },
    { issueId: 18, subscription: null },
    { issueId: 19, isBookmarked: false },
    { issueId: 20, subscription: "mentioned", isBookmarked: true },
  ];
  const text = serializePreviousReading(previous);
  expect(text).toBe("reading/17;off,18;-,19;;0,20;mentioned;1");
  expect(parsePreviousReading(text)).toEqual(previous);
  expect(serializePreviousReading([])).toBeNull();
});

test.each(["", "reading/", "reading/17", "reading/x;off", "reading/17;asked", "reading/17;;2", "triage/17;-", null])(
  "%j is refused",
  (text) => expect(parsePreviousReading(text)).toBeNull(),
);
