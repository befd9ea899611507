import { toNameGroup } from "./name-group.ts";
import { TYPED_ATTRIBUTES, type TypedValue } from "./typed-attributes.ts";

/**
 * Methods that stand alone as the name of a request: SDKs do so where they do not know its route. OpenTelemetry says `HTTP` of a method that
 * it does not know.
 */
export const BARE_METHODS: readonly string[] = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "QUERY",
  "HTTP",
];

const MAX_PLACE = 200;
const URL_PARTS = /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/(?:[^/?#]*@)?([^/?#]*))?(\/[^?#]*)?/i;

/** The name as people read it: a method alone gets the path of the URL, and of a request to another service the host, too. */
export function nameRequest(
  name: string | null,
  { op, url }: { op: string | null; url: string | null },
): string | null {
  if (name === null || url === null || !BARE_METHODS.includes(name)) return name;
  const [, host = "", path = ""] = URL_PARTS.exec(url) ?? [];
  const place = op === "http.client" ? host + path : path;
  return place === "" ? name : `${name} ${place.slice(0, MAX_PLACE).toWellFormed()}`;
}

const URL_COLUMN = TYPED_ATTRIBUTES.findIndex(({ column }) => column === "url");

interface NamedSpan {
  name: string | null;
  op: string | null;
  /** In the order of `TYPED_ATTRIBUTES`. */
  typed: readonly TypedValue[];
}

/** The name of a span as people read it. */
export function nameSpan({ name, op, typed }: NamedSpan): string | null {
  const url = typed[URL_COLUMN];
  return nameRequest(name, { op, url: typeof url === "string" ? url : null });
}

/** The group of that name: see `toNameGroup`. */
export function groupSpan(span: NamedSpan): string | null {
  const name = nameSpan(span);
  return name === null ? null : toNameGroup(name);
}
