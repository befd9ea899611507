import type { z } from "zod";
import { describeProblem, toInput } from "../features/input/describe-input.ts";
import { refusal } from "./answers.ts";

/**
 * Checks what a client sent against the schema.
 * @throws a 400 answer that names the field and its limit: `projects[0]: must have at most 64 characters`.
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole = "the body",
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeProblem });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys")
    throw refusal(400, `${toFieldName([...issue.path, ...issue.keys.slice(0, 1)])}: is not supported by this version`);
  throw refusal(400, `${toFieldName(issue?.path ?? []) || whole}: ${issue?.message ?? "is not valid"}`);
}

/**
 * Reads the parameters of a query or a form that the schema names, and ignores all others. An empty parameter counts as absent. There are
 * two exceptions: `query`, because an empty search finds everything, and parameters whose schema allows the empty word.
 * @throws a 400 answer that names the parameter.
 */
export function checkParams<Schema extends z.ZodObject>(schema: Schema, params: URLSearchParams): z.output<Schema> {
  return checkInput(schema, toInput(schema, params, "query"));
}

/** The name of a field in messages: `projects[0]`, `statusDetails.inCommit`. */
function toFieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? String(step) : `${name}.${String(step)}`;
  }, "");
}
