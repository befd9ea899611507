import { expect, test } from "vitest";
import { beginLongMessage } from "./long-message.tsx";

test("a message of some lines stands whole", () => {
  expect(beginLongMessage("")).toBeNull();
  expect(beginLongMessage("x".repeat(600))).toBeNull();
  expect(beginLongMessage(Array.from({ length: 10 }, (_, n) => `line ${n}`).join("\n"))).toBeNull();
});

test("of a longer one, 600 characters or ten lines stand", () => {
  expect(beginLongMessage("x".repeat(601))).toBe(`${"x".repeat(600)} …`);
  const lines = Array.from({ length: 11 }, (_, n) => `line ${n}`);
  expect(beginLongMessage(lines.join("\n"))).toBe(`${lines.slice(0, 10).join("\n")} …`);
  expect(beginLongMessage(`${"x".repeat(599)}😀`)).toBe(`${"x".repeat(599)}\ufffd …`);
});
