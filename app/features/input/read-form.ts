import type { z } from "zod";
import { describeProblem, type Params, toInput } from "./describe-input.ts";

export type ReadForm<Fields> =
  | { ok: true; fields: Fields }
  | {
      ok: false;
      status: 400;
      /** The first wrong field, and what is wrong with it. */
      field: keyof Fields & string;
      message: string;
      errors: Partial<Record<keyof Fields, string>>;
    };

/** The fields of a posted form as the schema wants them. An empty field counts as absent. */
export function readForm<Schema extends z.ZodObject>(schema: Schema, form: Params): ReadForm<z.output<Schema>> {
  const parsed = schema.safeParse(toInput(schema, form), { error: describeProblem });
  if (parsed.success) return { ok: true, fields: parsed.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= toSentence(message);
  const [field = "", message = ""] = Object.entries(errors)[0] ?? [];
  return {
    ok: false,
    status: 400,
    field: field as keyof z.output<Schema> & string,
    message,
    errors: errors as Partial<Record<keyof z.output<Schema>, string>>,
  };
}

/** Makes a sentence for a page from a message like `must have at most 64 characters`, which the web API puts after the name of a field. */
function toSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.:]$/.test(message) ? "" : "."}`;
}

/** The typed values, to show them again beside the error. */
export function toTyped(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === "string" ? value : ""]));
}
