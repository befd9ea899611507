import type { z } from "zod";
import { refusal } from "./answers.server.ts";

/** Enough for every body but lists of commits. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * The request's JSON, as the schema wants it.
 * @throws a 400 answer that names the field, 413 or 415.
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  { maxBytes = MAX_BODY_BYTES } = {},
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readJson(request, maxBytes));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refusal(400, issue ? `${toFieldName(issue.path) || "the body"}: ${issue.message}` : "the body is not valid");
}

/** The request's JSON object. @throws a 400 answer when it is not one, 413 or 415. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const body = await readJson(request, MAX_BODY_BYTES);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw refusal(400, "the body must be a JSON object");
  return body as Record<string, unknown>;
}

/** An empty body is an empty object. A form of another site's page can send JSON as text/plain, but not as what it is. */
async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw refusal(415, "the body must be JSON, sent with Content-Type: application/json");
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw refusal(400, "the body is not valid JSON");
  }
}

/** Stops reading at the limit, whatever length the request claims. @throws a 413 answer. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > maxBytes) throw refusal(413, `the body is over ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** `projects[0]`, `statusDetails.inCommit`. */
function toFieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? String(step) : `${name}.${String(step)}`;
  }, "");
}
