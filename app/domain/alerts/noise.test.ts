import { expect, test } from "vitest";
import { saySuggestedLine } from "./noise.ts";

test("a better line is said with those who dealt with its issues, where somebody did", () => {
  const line = { line: 40, times: 3, ownTimes: 61 };
  const said = "At 40 instead of 20 it would have fired 3 times instead of 61";
  expect(saySuggestedLine(line, { own: 20, acted: 0 })).toBe(`${said}.`);
  expect(saySuggestedLine(line, { own: 20, acted: 2 })).toBe(`${said}, and for each issue that somebody dealt with.`);
});
