import { expect, test } from "vitest";
import { toFieldWords } from "./field-words.ts";

test.each([
  ["requiresProvider", "requires provider"],
  ["isEnabled", "enabled"],
  ["clientId", "client id"],
  ["every project", "every project"],
  ["issuer", "issuer"],
])("%s is called “%s”", (field, words) => {
  expect(toFieldWords(field)).toBe(words);
});
