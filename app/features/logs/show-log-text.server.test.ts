import { expect, test } from "vitest";
import { log } from "../../stores/event-store-contract/span-fixture.ts";
import { toLogLine } from "./log-line.server.ts";
import { showLogText } from "./show-log-text.server.ts";

test("colours, cursor moves and links of terminals leave their text alone", () => {
  expect(showLogText("\u001b[1;31mERROR\u001b[0m \u001b[38;5;12mhttp\u001b[39m\u001b[K took 3 ms")).toBe(
    "ERROR http took 3 ms",
  );
  expect(showLogText("\u001b]8;;https://example.com\u0007docs\u001b]8;;\u0007")).toBe("docs");
  expect(showLogText("[31m of an array: a[0]")).toBe("[31m of an array: a[0]");
});

test("a row is as long as what is seen of it", () => {
  const row = { ...log(1, { body: `${"\u001b[32m".repeat(200)}${"a".repeat(600)}` }), id: "0".repeat(32) };
  expect(toLogLine(row, []).body).toBe("a".repeat(500));
});
