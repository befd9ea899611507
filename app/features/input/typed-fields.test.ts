import { expect, test } from "vitest";
import { beginWith, keepTyped } from "./typed-fields.ts";

function makeForm(fields: ReadonlyArray<readonly [string, string]>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

test("what was typed comes back into its own form, and passwords into none", () => {
  const typed = keepTyped(
    makeForm([
      ["intent", "profile"],
      ["name", "Ada"],
      ["confirm", "a password"],
      ["clientSecret", "a secret"],
    ]),
  );
  expect(JSON.stringify(typed)).not.toMatch(/a password|a secret/);
  expect(beginWith(typed, "profile").text("name", "Saved")).toBe("Ada");
  expect(beginWith(typed, "profile").text("email", "saved@example.com")).toBe("saved@example.com");
  expect(beginWith(typed, "rename").text("name", "Saved")).toBe("Saved");
  expect(beginWith(null, "profile").text("name", undefined)).toBeUndefined();
});

test("boxes are as they were left, also those that were left empty", () => {
  const typed = keepTyped(
    makeForm([
      ["intent", "invite"],
      ["team", "2"],
      ["team", "3"],
    ]),
  );
  const { isChecked } = beginWith(typed, "invite");
  expect([1, 2, 3].map((id) => isChecked("team", id, true))).toEqual([false, true, true]);
  expect(isChecked("project", 1, true)).toBe(false);
  expect(beginWith(null, "invite").isChecked("team", 1, true)).toBe(true);
});
