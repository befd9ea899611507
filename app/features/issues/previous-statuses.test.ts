import { expect, test } from "vitest";
import { parsePrevious, serializePrevious } from "./previous-statuses.ts";

test("what was before a change survives the way through a form", () => {
  const previous = [
    { issueId: 7, status: "unresolved", substatus: "regressed", resolution: null, archive: null } as const,
    { issueId: 12, status: "archived", substatus: "ongoing", resolution: null, archive: null } as const,
    {
      issueId: 14,
      status: "archived",
      substatus: "new",
      resolution: null,
      archive: { kind: "until", until: 1_764_000_000_000 },
    } as const,
    {
      issueId: 15,
      status: "archived",
      substatus: "new",
      resolution: null,
      archive: { kind: "users", count: 10, windowMinutes: 60 },
    } as const,
    {
      issueId: 13,
      status: "resolved",
      substatus: "new",
      resolution: { kind: "next_release", after: "web@1,0:3" },
      archive: null,
    } as const,
  ];
  expect(parsePrevious(serializePrevious(previous))).toEqual(previous);
});

test.each([
  "",
  "7",
  "7:unresolved",
  "7:unresolved:odd",
  "7:resolved:new:x",
  "7:archived:new:n",
  "7:archived:new:e/0",
  "7:archived:new:u/1001/60",
  "7:archived:new:t/999999999999999",
  "7:archived:new:t/1/60",
  "7:archived:new:x/1",
  "7:resolved:new:e/100",
  "7:unresolved:new:e/100",
  "7:resolved:new:n:n",
  "-1:resolved:new",
  "1.5:resolved:new",
  "1:__proto__:new",
  ",",
  null,
])("%j is refused", (value) => {
  expect(parsePrevious(value)).toBeNull();
});

test("nothing, and more than a form may hold, is not offered; the latter is refused", () => {
  const make = (length: number) =>
    Array.from(
      { length },
      () => ({ issueId: 1, status: "resolved", substatus: "new", resolution: null, archive: null }) as const,
    );
  expect(serializePrevious([])).toBeNull();
  // Each issue takes 14 characters and a comma.
  expect(parsePrevious(serializePrevious(make(20_000)))).toHaveLength(20_000);
  expect(serializePrevious(make(20_001))).toBeNull();
  expect(parsePrevious(Array(20_001).fill("1:resolved:new").join())).toBeNull();
});
