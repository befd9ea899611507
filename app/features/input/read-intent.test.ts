import { expect, test } from "vitest";
import { readIntent } from "./read-intent.ts";

const formWith = (...intents: string[]) => {
  const form = new FormData();
  for (const intent of intents) form.append("intent", intent);
  return form;
};

test("gives the intent of the button that was pressed", () => {
  expect(readIntent(formWith("revoke"), ["create", "revoke"])).toEqual({ ok: true, intent: "revoke" });
});

test("refuses an intent that the form does not have, and a form without one", () => {
  expect(readIntent(formWith("explode"), ["create", "revoke"])).toEqual({
    ok: false,
    status: 400,
    field: "intent",
    message: 'intent: Must be one of create, revoke, not "explode".',
  });
  expect(readIntent(formWith(), ["create"])).toMatchObject({ ok: false, message: "intent: Is required." });
});
