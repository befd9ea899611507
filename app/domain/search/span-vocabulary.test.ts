import { expect, test } from "vitest";
import { bindSearch } from "./bind-search.ts";
import { LOG_VOCABULARY } from "./log-vocabulary.ts";
import { parseSearch } from "./parse-search.ts";
import { SPAN_VOCABULARY } from "./span-vocabulary.ts";

test.each([
  ["id", SPAN_VOCABULARY],
  ["parent", SPAN_VOCABULARY],
  ["span_id", LOG_VOCABULARY],
] as const)("%s: takes the id of a span, and refuses what is none", (key, vocabulary) => {
  const bind = (search: string) => bindSearch(parseSearch(search).tree, vocabulary, 0);
  expect(bind(`${key}:0123456789ABCDEF`)).toMatchObject({
    errors: [],
    condition: { test: { kind: "in", values: ["0123456789abcdef"] } },
  });
  for (const value of ["zz", "0123456789abcde", "0".repeat(32)])
    expect(bind(`${key}:${value}`).errors.map(({ message }) => message)).toEqual([
      `“${key}:” needs an id: 16 hexadecimal digits.`,
    ]);
});
