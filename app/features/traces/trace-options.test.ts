import { expect, test } from "vitest";
import { readTraceId, readTraceOptions, toTracePath, writeTraceOptions } from "./trace-options.ts";

const read = (search: string) => readTraceOptions(new URLSearchParams(search));

test.for([
  "",
  "view=logs",
  "view=flame&from=12.5&to=40&service=api&service=web&op=db",
  "q=select+1&only=1",
  "fold=00000000000000aa.00000000000000bb&clocks=sent&span=00000000000000aa",
])("%s is read and written", (search) => {
  expect(writeTraceOptions(read(search))).toBe(search);
});

test("what is not an option is left out", () => {
  expect(writeTraceOptions(read("view=x&from=9&to=3&service=&op=&fold=x.00000000000000aa&span=1&clocks=none"))).toBe(
    "fold=00000000000000aa",
  );
});

test("words and folded spans have a limit", () => {
  const fold = Array.from({ length: 300 }, () => "00000000000000aa").join(".");
  const { words, folded } = read(`q=${"x".repeat(5_000)}&fold=${fold}`);
  expect([words.length, folded.length]).toEqual([200, 100]);
});

test("an address has only what differs", () => {
  expect(toTracePath("abc")).toBe("/traces/abc");
  expect(toTracePath("abc", { words: "a b" })).toBe("/traces/abc?q=a+b");
});

test.for([
  ["0AF76519-16CD-43DD-8448-EB211C80319C", "0af7651916cd43dd8448eb211c80319c"],
  ["00000000000000000000000000000000", null],
  ["0af7651916cd43dd", null],
] as const)("%s", ([text, id]) => {
  expect(readTraceId(text)).toBe(id);
});
