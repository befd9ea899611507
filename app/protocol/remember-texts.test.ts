import { expect, test } from "vitest";
import { rememberTexts } from "./remember-texts.ts";

function countCalls() {
  const calls: string[] = [];
  const ask = rememberTexts((text) => {
    calls.push(text);
    return text === "" ? null : { length: text.length };
  });
  return { calls, ask };
}

test("a text is computed once, also where it gives null", () => {
  const { calls, ask } = countCalls();
  expect([ask("ab"), ask(""), ask("ab"), ask("")]).toEqual([{ length: 2 }, null, { length: 2 }, null]);
  expect(calls).toEqual(["ab", ""]);
});

test("a text that is long is computed each time", () => {
  const { calls, ask } = countCalls();
  const long = "x".repeat(513);
  ask(long);
  ask(long);
  expect(calls).toEqual([long, long]);
});

test("a flood of texts empties it, and changes no answer", () => {
  const { calls, ask } = countCalls();
  ask("first");
  for (let index = 0; index < 1_024; index++) ask(`flood ${index}`);
  expect(ask("first")).toEqual({ length: 5 });
  expect(calls.filter((text) => text === "first")).toHaveLength(2);
});
