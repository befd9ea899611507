import { z } from "zod";

/** The fields of a query or a form that a schema reads. */
export interface Params {
  getAll(name: string): unknown[];
}

/**
 * The values of the parameters that the schema names. A field for a list gets all values of its parameter. An empty value counts as
 * absent, unless the parameter is `mayBeEmpty` or the schema has an empty choice for it.
 */
export function toInput(schema: z.ZodObject, params: Params, mayBeEmpty?: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = params.getAll(name).filter((value) => value !== "" || name === mayBeEmpty || hasEmptyChoice(field));
    if (values.length > 0) input[name] = isList(field) ? values : values[0];
  }
  return input;
}

/** Whether an empty text is one of the allowed words. */
function hasEmptyChoice(field: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return hasEmptyChoice(field.unwrap());
  return field instanceof z.ZodEnum && field.options.includes("");
}

export function isList(field: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return isList(field.unwrap());
  if (field instanceof z.ZodPipe) return isList(field.in);
  return field instanceof z.ZodArray;
}

/** The message for a schema without words of its own. It continues the name of the field, like `must have at most 64 characters`. */
export function describeProblem(issue: z.core.$ZodRawIssue): string {
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

const TYPE_WORDS: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

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
