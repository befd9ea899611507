/** Kinds of places that a selector may name with a dollar. */
const PLACE_TYPES = [
  "string",
  "number",
  "boolean",
  "user",
  "request",
  "http",
  "message",
  "logentry",
  "exception",
  "thread",
  "stacktrace",
  "frame",
  "breadcrumb",
  "span",
] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];

export type SelectorPart =
  | { kind: "deep" }
  | { kind: "any" }
  | { kind: "key"; key: string }
  | { kind: "type"; type: PlaceType };

/** A value of an event: the keys that lead to it, indexes of lists as numbers. */
export interface Place {
  path: ReadonlyArray<string | number>;
  /** The same keys in lower case. */
  folded: ReadonlyArray<string | number>;
  type: "string" | "number" | "boolean";
}

export type ReadSelector = { ok: true; parts: SelectorPart[] } | { ok: false; at: number; message: string };

const MAX_PARTS = 20;

/** Reads `extra.foo`, `**.password`, `$user.email`, `tags.'my tag'`, `$string`. `at` of a refusal is a place in the text. */
export function readSelector(text: string): ReadSelector {
  const parts: SelectorPart[] = [];
  let at = 0;
  for (;;) {
    const match = /^(?:'((?:[^'\\]|\\.)*)'|(\*\*|\*)|\$([a-z]+)|([\p{L}\p{N}_:@/-]+))/u.exec(text.slice(at));
    if (match === null) {
      const operator = /^\s*(&&|\|\||!|\()/.exec(text.slice(at))?.[1];
      const message = operator
        ? `“${operator}” is not known: write a rule for each place`
        : "a key is expected, like extra.foo, **.password or $user.email; other characters stand in quotes, like tags.'my tag'";
      return { ok: false, at, message };
    }
    const [whole, quoted, star, type, key] = match;
    if (star !== undefined) parts.push({ kind: star === "**" ? "deep" : "any" });
    else if (type !== undefined) {
      const found = PLACE_TYPES.find((each) => each === type);
      if (found === undefined)
        return {
          ok: false,
          at,
          message: `“$${type}” is not known. There are ${PLACE_TYPES.map((each) => `$${each}`).join(", ")}`,
        };
      parts.push({ kind: "type", type: found });
    } else parts.push({ kind: "key", key: (quoted?.replaceAll(/\\(.)/g, "$1") ?? key ?? "").toLowerCase() });
    at += whole.length;
    if (parts.length > MAX_PARTS) return { ok: false, at, message: `a place has at most ${MAX_PARTS} parts` };
    if (at === text.length) break;
    if (text[at] !== ".") continue;
    at++;
  }
  // A type is found wherever it is.
  if (parts[0]?.kind === "type") parts.unshift({ kind: "deep" });
  if (parts.every(({ kind }) => kind === "deep")) parts.push({ kind: "any" });
  return { ok: true, parts };
}

const ROOTS: Partial<Record<PlaceType, string>> = {
  user: "user",
  request: "request",
  http: "request",
  message: "logentry",
  logentry: "logentry",
  exception: "exception",
  thread: "threads",
  breadcrumb: "breadcrumbs",
  span: "spans",
};

/** The outermost key of everything that the selector names, in lower case. Null: it may be any key. */
export function findRoot([first, second]: readonly SelectorPart[]): string | null {
  if (first?.kind === "key") return first.key;
  if (first?.kind === "deep" && second?.kind === "type") return ROOTS[second.type] ?? null;
  return null;
}

/** Whether the selector names the place, or something that the place is inside of. */
export function matchesSelector(parts: readonly SelectorPart[], place: Place): boolean {
  return matchFrom(parts, 0, place, 0);
}

function matchFrom(parts: readonly SelectorPart[], part: number, place: Place, at: number): boolean {
  const { path } = place;
  let wanted = part;
  let index = at;
  for (;;) {
    const current = parts[wanted];
    // The rest of the path is inside the selected value.
    if (current === undefined) return true;
    if (current.kind === "deep") {
      for (let next = index; next <= path.length; next++) if (matchFrom(parts, wanted + 1, place, next)) return true;
      return false;
    }
    if (index >= path.length || !matchesPart(current, place, index)) return false;
    wanted++;
    index++;
  }
}

function matchesPart(part: Exclude<SelectorPart, { kind: "deep" }>, place: Place, index: number): boolean {
  const { path } = place;
  const key = path[index] ?? "";
  if (part.kind === "any") return true;
  if (part.kind === "key") return String(place.folded[index]) === part.key;
  switch (part.type) {
    case "string":
    case "number":
    case "boolean":
      return index === path.length - 1 && place.type === part.type;
    case "user":
      return index === 0 && key === "user";
    case "request":
    case "http":
      return index === 0 && key === "request";
    case "message":
    case "logentry":
      return index === 0 && key === "logentry";
    case "exception":
    case "thread":
      return index === 2 && path[0] === (part.type === "thread" ? "threads" : "exception") && typeof key === "number";
    case "stacktrace":
      return key === "stacktrace" || key === "raw_stacktrace";
    case "frame":
      return typeof key === "number" && path[index - 1] === "frames";
    case "breadcrumb":
      return typeof key === "number" && path[0] === "breadcrumbs";
    case "span":
      return typeof key === "number" && path[0] === "spans" && index === 1;
  }
}
