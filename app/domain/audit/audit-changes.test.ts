import { expect, test } from "vitest";
import { listChanges, MAX_LIST_ITEMS, MAX_TEXT_CHARS, maskAddress } from "./audit-changes.ts";

test("only what differs is listed, with both sides", () => {
  expect(
    listChanges({ role: "member", teams: ["a", "b"], name: "x" }, { role: "admin", teams: ["a"], name: "x" }),
  ).toEqual([
    { field: "role", before: "member", after: "admin" },
    { field: "teams", before: ["a", "b"], after: ["a"] },
  ]);
  expect(listChanges({ role: "member" }, { role: "member" })).toEqual([]);
});

test("what is new and what is gone is listed whole", () => {
  expect(listChanges(undefined, { name: "x", email: null })).toEqual([
    { field: "name", after: "x" },
    { field: "email", after: null },
  ]);
  expect(listChanges({ name: "x" }, undefined)).toEqual([{ field: "name", before: "x" }]);
});

test("long texts and lists are cut", () => {
  const [text, list] = listChanges(undefined, {
    text: "x".repeat(2_000),
    list: Array.from({ length: 80 }, (_, i) => i),
  });
  expect(String(text?.after)).toHaveLength(MAX_TEXT_CHARS);
  expect(list?.after).toHaveLength(MAX_LIST_ITEMS + 1);
  expect(JSON.stringify(list?.after)).toContain("30 more");
});

test("an address keeps nothing that could be a secret", () => {
  expect(maskAddress("https://hooks.slack.example/services/T0/B0/secret?x=1")).toBe("https://hooks.slack.example/•••");
  expect(maskAddress("https://user:password@hooks.example/")).toBe("https://hooks.example");
  expect(maskAddress("nonsense secret")).toBe("•••");
});
