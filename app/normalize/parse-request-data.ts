import { parseQueryPairs } from "./name-value-pairs.ts";
import { TREE_LIMITS } from "./trimming.ts";

/** Larger bodies stay text: a part of JSON is not JSON, and the whole would be cut anyway. */
const MAX_PARSED_LENGTH = TREE_LIMITS.requestData.maxSize * 4;

export interface RequestData {
  /** Text, or what the text says. */
  data: unknown;
  /** The content type that was recognized. Null: none was. */
  contentType: string | null;
}

/**
 * A request body for people to read: JSON and form bodies are parsed, everything else stays as it came.
 * @param declared content type of the request, as far as known
 */
export function parseRequestData(text: string, declared: unknown): RequestData {
  const contentType = typeof declared === "string" ? (declared.split(";", 1)[0] ?? "").trim().toLowerCase() : "";
  if (text.length > MAX_PARSED_LENGTH) return { data: text, contentType: null };
  if (isJsonType(contentType) || (contentType === "" && /^\s*[{[]/.test(text))) {
    const data = parseContainer(text);
    if (data !== null) return { data, contentType: contentType || "application/json" };
  } else if (contentType === "application/x-www-form-urlencoded" || (contentType === "" && looksLikeForm(text))) {
    const data = parseForm(text);
    if (data !== null) return { data, contentType: "application/x-www-form-urlencoded" };
  }
  return { data: text, contentType: null };
}

function isJsonType(contentType: string): boolean {
  return contentType === "application/json" || contentType === "text/json" || contentType.endsWith("+json");
}

function parseContainer(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** A name and a value at least (base64 may end like a name alone), and nothing that would have been encoded. */
function looksLikeForm(text: string): boolean {
  return /^[\w.[\]%-]{1,100}=[^\s"'<>{}=&][^\s"'<>{}]*$/.test(text);
}

function parseForm(text: string): Record<string, string | string[]> | null {
  const form: Record<string, string | string[]> = {};
  let isEmpty = true;
  for (const [name, value] of parseQueryPairs(text)) {
    if (name === "" || name === "__proto__") continue;
    isEmpty = false;
    const known = Object.hasOwn(form, name) ? form[name] : undefined;
    if (known === undefined) form[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else form[name] = [known, value];
  }
  return isEmpty ? null : form;
}
