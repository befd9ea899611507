import { expect, test } from "vitest";
import { listDifferences, readWatchFile } from "./watch-file.ts";

const file = (change: object) => JSON.stringify({ format: "culprit-watch", version: 1, ...change });

test.each([
  ["", "Choose a file"],
  ["{", "This is no JSON"],
  ["[]", "The file: "],
  [file({ version: 2 }), "version: A newer Culprit wrote this file, in version 2. This one reads version 1."],
  [file({ version: 0 }), "version: Must be 1."],
  [file({ format: "rules" }), "format: Must be culprit-watch: this is another kind of file."],
  [file({ alerts: [] }), "The file: "],
  [file({ rules: [{ name: 1 }] }), "rules[0].name: "],
  [file({ metrics: [{ project: "shop" }] }), "metrics[0].name: "],
  [file({ rules: new Array(1_001).fill({}) }), "rules: "],
  [" ".repeat(2_000_001) + file({}), "more than 2 MB"],
])("%.40s is refused with its place", (text, message) => {
  const read = readWatchFile(text);
  expect(read.ok ? "" : read.message).toContain(message);
});

test("lists that are absent are empty", () => {
  expect(readWatchFile(file({}))).toMatchObject({ ok: true, file: { rules: [], metrics: [], crons: [], uptime: [] } });
});

test("fields that are different are named, whatever their order", () => {
  expect(listDifferences({ a: 1, b: [1, 2], c: null }, { b: [1, 3], c: undefined, a: 1, d: 2 })).toEqual(["b", "d"]);
});
