import type { z } from "zod";
import { refusal } from "./answers.ts";
import { checkInput, checkParams } from "./check-input.ts";
import type { EndpointBody } from "./endpoint.ts";

/** The largest body. Only lists of commits need more. */
const MAX_BODY_BYTES = 1_000_000;
/** Reading half a million fields, which a megabyte may have, holds the thread for seconds. */
const MAX_FIELDS = 10_000;

/**
 * Reads and checks the body of the request. Undefined: the endpoint reads it itself, or takes none.
 * @throws a 400 answer that names the field, 413 or 415.
 */
export async function readBody(request: Request, { json, form, maxBytes }: EndpointBody): Promise<unknown> {
  if (form && isForm(request)) {
    const text = (await readBytes(request, maxBytes)).toString("utf8");
    if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS)
      throw refusal(413, `the form has over ${MAX_FIELDS} fields`);
    return checkParams(form, new URLSearchParams(text));
  }
  return json && readJson(request, json, maxBytes);
}

/** Reads a JSON body. An empty body is an empty object. The content type must be right: a form of another site can send JSON as text/plain only. */
async function readJson(request: Request, schema: z.ZodType, maxBytes?: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return checkInput(schema, {});
  if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw refusal(415, "the body must be JSON, sent with Content-Type: application/json");
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw refusal(400, "the body is not valid JSON");
  }
  return checkInput(schema, body);
}

/** Reads the body up to the limit, whatever length the request claims. @throws a 413 answer. */
async function readBytes(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > maxBytes) throw refusal(413, `the body is over ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded(?:;|$)/i.test(request.headers.get("content-type")?.trim() ?? "");
}
