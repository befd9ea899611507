import { expect, test } from "vitest";
import { toOneLine } from "./one-line.ts";

test.each([
  ["Ada\r\nBcc: eve@example.com", "Ada Bcc: eve@example.com"],
  ["\tAda\u2028 Lovelace\u0000", "Ada  Lovelace"],
  ["Ada\u202Emoc.live", "Ada moc.live"],
  // A family, and a word that needs a mark of no width.
  ["👩‍👧 می‌خواهم", "👩‍👧 می‌خواهم"],
  ["two  blanks", "two  blanks"],
])("%j is %j on one line", (text, line) => expect(toOneLine(text)).toBe(line));
