import { expect, test } from "vitest";
import { parsePreviousTriage, serializePreviousTriage } from "./previous-triage.ts";

test("what is put back survives the form", () => {
  const previous = [
    { issueId: 17, assignee: { kind: "user", id: 3 } },
    { issueId: 18, assignee: null, priority: null },
    { issueId: 19, assignee: { kind: "team", id: 7 }, priority: "high" },
    { issueId: 20, priority: "low" },
  ] as const;
  const text = serializePreviousTriage(previous);
  expect(text).toBe("triage/17;user:3,18;-;-,19;team:7;high,20;;low");
  expect(parsePreviousTriage(text)).toEqual(previous);
});

test("nothing to put back, and what a form did not get from here, are null", () => {
  expect(serializePreviousTriage([])).toBeNull();
  for (const text of [
    null,
    "",
    "triage/",
    "17;user:3",
    "triage/17;owner:3",
    "triage/0;-",
    "triage/1;-;urgent",
    "triage/1;-;-;-",
  ])
    expect(parsePreviousTriage(text)).toBeNull();
});
