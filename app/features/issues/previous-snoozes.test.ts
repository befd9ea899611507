import { expect, test } from "vitest";
import { parsePreviousSnoozes, serializePreviousSnoozes } from "./previous-snoozes.ts";

test("what issues were to their reader fits into a field and comes back", () => {
  const previous = [
    { issueId: 7, until: null },
    { issueId: 12, until: 1_764_000_000_000 },
  ];
  expect(parsePreviousSnoozes(serializePreviousSnoozes(previous))).toEqual(previous);
  expect(serializePreviousSnoozes([])).toBeNull();
});

test.each([null, 7, "7:unresolved:new", "snooze;", "snooze;x", "snooze;7@", "snooze;7,", "snooze;7@1@2"])(
  "%j is none",
  (value) => {
    expect(parsePreviousSnoozes(value)).toBeNull();
  },
);
