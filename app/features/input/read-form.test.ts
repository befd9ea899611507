import { expect, test } from "vitest";
import { z } from "zod";
import { text } from "./fields.ts";
import { readForm, toTyped } from "./read-form.ts";

const schema = z.object({ name: text(3), scope: z.array(z.string()).default([]), note: z.string().optional() });

function form(...fields: Array<[string, string]>): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

test("fields are read as the schema wants them, an empty one as none, several of one as a list", () => {
  expect(
    readForm(schema, form(["name", " ab "], ["scope", "a"], ["scope", "b"], ["note", ""], ["other", "x"])),
  ).toEqual({ ok: true, fields: { name: "ab", scope: ["a", "b"] } });
});

test("what is wrong is a sentence for each field, the first one apart", () => {
  expect(readForm(schema, form(["name", "abcd"]))).toEqual({
    ok: false,
    status: 400,
    field: "name",
    message: "Must have at most 3 characters.",
    errors: { name: "Must have at most 3 characters." },
  });
  const { errors } = readForm(z.object({ ...schema.shape, kind: z.enum(["a", "b"]) }), form(["kind", "c"])) as {
    errors: object;
  };
  expect(errors).toEqual({ name: "Is required.", kind: 'Must be one of a, b, not "c".' });
});

test("what was typed is given back as texts", () => {
  expect(toTyped(form(["name", " ab "], ["note", ""]))).toEqual({ name: " ab ", note: "" });
});
