import { expect, test } from "vitest";
import { isUnderWay, readUserTag } from "./deletion-words.ts";

test.each([
  ["id:4711", { field: "id", value: "4711" }],
  ["email:ann@example.com", { field: "email", value: "ann@example.com" }],
  ["ip:2001:db8::7", { field: "address", value: "2001:db8::7" }],
  ["id:a:b", { field: "id", value: "a:b" }],
  ["username:ann", null],
  ["constructor:x", null],
  ["id:", null],
  ["4711", null],
])("the tag user %s names whose data can be deleted", (tag, user) => {
  expect(readUserTag(tag)).toEqual(user);
});

test("a deletion is under way before anything tells how far it is, until its rows are gone", () => {
  const phases = ["asked", "hidden", "swept", "erasing", "done"] as const;
  expect(phases.filter((phase) => isUnderWay({ phase }))).toEqual(["asked"]);
});
