import { z } from "zod";
import { refusal } from "./answers.ts";

/**
 * What a client sent, as the schema wants it.
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
 * The parameters of a query or a form that the schema names; any other is ignored. An empty one counts as absent, except
 * `query`: an empty search finds everything.
 * @throws a 400 answer that names the parameter.
 */
export function checkParams<Schema extends z.ZodObject>(schema: Schema, params: URLSearchParams): z.output<Schema> {
  const input: Record<string, string | string[]> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = params.getAll(name).filter((value) => value !== "" || name === "query");
    const [first] = values;
    if (first !== undefined) input[name] = isList(field) ? values : first;
  }
  return checkInput(schema, input);
}

export function isList(field: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return isList(field.unwrap());
  return field instanceof z.ZodArray;
}

const TYPE_WORDS: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

/** Used where a schema has no words of its own. */
function describeProblem(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined
        ? "is required"
        : `must be ${toChoice(issue.values.map(String))}${toQuoted(issue.input)}`;
    case "too_big":
      return `must ${toBound("at most", issue.origin, Number(issue.maximum))}`;
    case "too_small":
      return `must ${toBound("at least", issue.origin, Number(issue.minimum))}`;
    default:
      return "is not valid";
  }
}

function toChoice(values: string[]): string {
  return values.length === 1 ? (values[0] ?? "") : `one of ${values.join(", ")}`;
}

function toQuoted(input: unknown): string {
  return typeof input === "string" ? `, not "${input.slice(0, 40)}"` : "";
}

function toBound(bound: string, origin: string, limit: number): string {
  if (origin === "string") return `have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `be ${bound} ${limit}`;
}

/** `projects[0]`, `statusDetails.inCommit`. */
function toFieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? String(step) : `${name}.${String(step)}`;
  }, "");
}
