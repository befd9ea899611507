import { expect, test } from "vitest";
import { listOwnAttributes } from "./dataset.ts";

test("names of conventions are asked for whatever rows have, but not as `tags[…]`", () => {
  const asked = [
    "code.function",
    "sentry.otel.kind",
    "gen_ai.agent.name",
    "measurements.lcp",
    "replay.id",
    "trace.parent_span",
  ];
  expect(listOwnAttributes([...asked, "id"], (field) => field === "id")).toEqual([]);
  expect(listOwnAttributes(["tier", "coder.name", "tags[code.function]", "tags[tries,number]"], () => false)).toEqual([
    "tier",
    "coder.name",
    "code.function",
    "tries",
  ]);
});
