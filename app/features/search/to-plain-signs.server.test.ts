import { expect, test } from "vitest";
import { toPlainSigns } from "./to-plain-signs.server.ts";

test.each([
  ["is：unresolved level：error", "is:unresolved level:error"],
  ["(level：error OR !level：fatal)", "(level:error OR !level:fatal)"],
  ["error.type：“TypeError”", 'error.type:"TypeError"'],
  ["message:＂not found＂ “two words”", 'message:"not found" "two words"'],
])("%s is read as %s", (typed, plain) => {
  expect(toPlainSigns(typed, "issues")).toBe(plain);
});

test.each([
  "is:unresolved level:error checkout",
  "连接失败：超时",
  "plan：pro",
  'message:"level：error “x”"',
  'level:error "an open quote：',
  "it said“no”",
  "https://shop.example/a?b=c",
])("%s stays as it is", (search) => {
  expect(toPlainSigns(search, "issues")).toBe(search);
});

test("each list has keys of its own", () => {
  expect(toPlainSigns("severity：error", "logs")).toBe("severity:error");
  expect(toPlainSigns("span.op：db severity：error", "spans")).toBe("span.op:db severity：error");
});
