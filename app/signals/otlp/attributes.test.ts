import { expect, test } from "vitest";
import { toAttributes } from "./attributes.ts";

test("a value that stands in the place of its AnyValue is taken", () => {
  const list = [
    { key: "tier", value: "gold\u0000" },
    { key: "tries", value: 3 },
    { key: "paid", value: true },
    { key: "sent", value: { stringValue: "well" } },
    { key: "none", value: null },
  ];
  expect(toAttributes(list)).toEqual({ tier: "gold", tries: 3, paid: true, sent: "well" });
});
