import { expect, test } from "vitest";
import { MAX_SHOWN_FIELDS, MaskedFields } from "./privacy-test.ts";

test("fields that are different are counted by event, with the names of pairs and without places in lists", () => {
  const masked = new MaskedFields();
  const before = (email: string) => ({
    request: {
      headers: [
        ["X-Iban", "DE02"],
        ["Host", "shop"],
      ],
    },
    breadcrumbs: { values: [{ data: { iban: "a" } }, { data: { iban: "b" } }] },
    user: { email },
    tags: [
      ["user", `email:${email}`],
      ["level", "error"],
    ],
    _meta: {},
  });
  const after = (email: string) => ({
    request: {
      headers: [
        ["X-Iban", "[Filtered]"],
        ["Host", "shop"],
      ],
    },
    breadcrumbs: { values: [{ data: { iban: "[Filtered]" } }, { data: { iban: "[Filtered]" } }] },
    user: { email },
    tags: [["level", "error"]],
    _meta: { user: {} },
  });
  masked.add(before("a"), after("[Filtered]"));
  masked.add(before("b"), { ...before("b"), user: { email: "[Filtered]" } });
  masked.add(before("c"), before("c"));
  expect(masked.result()).toEqual({
    eventCount: 3,
    fieldCount: 4,
    fields: [
      { path: "user.email", value: "[Filtered]", eventCount: 2 },
      { path: "request.headers.X-Iban", value: "[Filtered]", eventCount: 1 },
      { path: "breadcrumbs.values.*.data.iban", value: "[Filtered]", eventCount: 1 },
      { path: "tags.user", value: null, eventCount: 1 },
    ],
  });
});

test("only the first fields are listed, and values are cut", () => {
  const masked = new MaskedFields();
  const extra = Object.fromEntries(Array.from({ length: MAX_SHOWN_FIELDS + 5 }, (_, index) => [`key${index}`, "x"]));
  masked.add({ extra }, { extra: Object.fromEntries(Object.keys(extra).map((key) => [key, "[Filtered]".repeat(50)])) });
  const { fields, fieldCount } = masked.result();
  expect([fields.length, fieldCount, fields[0]?.value?.length]).toEqual([MAX_SHOWN_FIELDS, MAX_SHOWN_FIELDS + 5, 121]);
});
