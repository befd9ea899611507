import { expect, test } from "vitest";
import { parsePrevious, serializePrevious } from "./previous-statuses.ts";

test("what was before a change survives the way through a form", () => {
  const previous = [
    { issueId: 7, status: "unresolved", substatus: "regressed", resolution: null } as const,
    { issueId: 12, status: "archived", substatus: "ongoing", resolution: null } as const,
    {
      issueId: 13,
      status: "resolved",
      substatus: "new",
      resolution: { kind: "next_release", after: "web@1,0:3" },
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
  "-1:resolved:new",
  "1.5:resolved:new",
  "1:__proto__:new",
  ",",
  null,
])("%j is refused", (value) => {
  expect(parsePrevious(value)).toBeNull();
});

test("more than one action can change is refused", () => {
  const one = (_: unknown, index: number) => `${index + 1}:resolved:new`;
  expect(parsePrevious(Array.from({ length: 1_000 }, one).join())).toHaveLength(1_000);
  expect(parsePrevious(Array.from({ length: 1_001 }, one).join())).toBeNull();
});
