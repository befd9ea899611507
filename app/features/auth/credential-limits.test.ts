import { expect, test } from "vitest";
import { isEmail } from "./credential-limits.ts";

test.each([
  "ada@example.com",
  "ada+shop@localhost",
  "jos\u00e9@b\u00fccher.example",
  "O'Neil@example.com",
  "ada@[192.0.2.1]",
])("%j is an address", (text) => expect(isEmail(text)).toBe(true));

test.each([
  ["no sign", "ada.example.com"],
  ["two signs", "ada@shop@example.com"],
  ["a space", "ada l@example.com"],
  ["a space of no width", "ada\u200b@example.com"],
  ["a soft hyphen", "ada@exam\u00adple.com"],
  ["a line's end", "ada@example.com\nbcc:eve@example.com"],
  ["a name before it", "Ada<ada@example.com"],
  ["an angle bracket", "ada@example.com>"],
  ["a second one beside it", "ada,eve@example.com"],
  ["a group around it", "team:ada@example.com;"],
  ["a remark", "ada(home)@example.com"],
  ["quotes", '"ada"@example.com'],
  ["a mark that turns the direction", "ada\u202e@example.com"],
  ["a Kelvin sign, which is a k once it is small", "\u212aate@example.com"],
  ["an accent apart from its letter", "jose\u0301@example.com"],
])("an address has not %s", (_, text) => expect(isEmail(text)).toBe(false));
