import { expect, test } from "vitest";
import { toActorWords } from "./actor-words.ts";

test.each([
  [{ kind: "member", name: "octo <octo@example.com>" }, "octo"],
  [{ kind: "token", name: "ci of the shop" }, "ci of the shop"],
  [{ kind: "stranger", name: "somebody who is not signed in" }, "Somebody who is not signed in"],
  [{ kind: "server", name: "rules of Acme" }, "Rules of Acme"],
] as const)("%o is called “%s”", (actor, words) => {
  expect(toActorWords(actor)).toBe(words);
});
