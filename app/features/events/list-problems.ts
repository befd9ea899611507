import type { EventError, MetaTree, SentryEvent } from "../../domain/event.ts";
import type { SymbolicationErrorType } from "../../domain/symbolication.ts";

/** A problem with the event as it was sent, and its place. */
export interface EventProblem {
  /** A path like `user.ip_address`. Null: the problem concerns the whole event. */
  path: string | null;
  message: string;
  /** The value that was sent, if it was kept. */
  value?: unknown;
  /** True: the value was scrubbed or cut by a limit, and the sender made no mistake. */
  isRemark: boolean;
  /** True: the problem concerns a source map. Its steps are in a section of their own. */
  isSourceMap?: true;
}

/** Words for what symbolication reports about a file, by its URL. */
const SOURCE_MAP_WORDS: Record<SymbolicationErrorType, string> = {
  invalid_location: "a line and column that its source map does not have",
  invalid_abs_path: "has no address by which a source map could be looked for",
  no_column: "a frame without a column, and a minified line has many",
  missing_source_content: "its source map has no text of a source",
  missing_source: "its source map leads to a source without a name",
  malformed_sourcemap: "its source map cannot be read",
  missing_sourcemap: "its source map was not uploaded",
  invalid_base64_sourcemap: "its inline source map is no Base64",
  sourcemap_too_large: "its source map is too large",
};

const ERROR_WORDS: Record<string, string> = {
  invalid_data: "is not valid",
  missing_attribute: "is missing",
  invalid_attribute: "is not known",
  value_too_long: "is too long",
  past_timestamp: "is too far in the past",
  future_timestamp: "is in the future",
  // Some are valid JSON, and cannot be kept as they came: U+0000, for instance.
  invalid_json: "the JSON was repaired",
  clock_drift: "was corrected: the sender's clock was off",
};

const RULE_WORDS: Record<string, string> = {
  "!limit": "was cut to the limit",
  "!raw": "was left out",
  "@password": "looked like a password and was removed",
  "@creditcard": "held a card number, which was removed",
  "@rule": "is named by a rule of the project, and was masked",
  "@own": "is a sensitive key of the project, and was removed",
  "@ip": "held an address, which the project does not store",
  "@bearer": "held a bearer token, which was removed",
  "@session-cookie": "was a session cookie and was removed",
};

/** The problems in `_meta` and `errors`, as sentences. At most 200. */
export function listProblems(event: SentryEvent): EventProblem[] {
  const problems = (event.errors ?? []).map(toProblem);
  if (event._meta) walk(event._meta, [], problems);
  return problems.slice(0, 200);
}

function toProblem(error: EventError): EventProblem {
  const { type, name, value, ...rest } = error;
  const url = typeof rest.url === "string" ? rest.url : null;
  if (url !== null && Object.hasOwn(SOURCE_MAP_WORDS, type)) {
    const words = SOURCE_MAP_WORDS[type as SymbolicationErrorType];
    return {
      path: url,
      message: typeof value === "string" ? `${words}: ${value}` : words,
      isRemark: false,
      isSourceMap: true,
    };
  }
  const known = Object.hasOwn(ERROR_WORDS, type) ? (ERROR_WORDS[type] as string) : type.replaceAll("_", " ");
  const words = typeof rest.reason === "string" ? `${known}: ${rest.reason}` : known;
  if (words !== known) delete rest.reason;
  const details = Object.entries(rest).map(
    ([key, detail]) => `${key.replaceAll("_", " ")} ${typeof detail === "string" ? detail : JSON.stringify(detail)}`,
  );
  return {
    path: name ?? null,
    message: details.length > 0 ? `${words} (${details.join(", ")})` : words,
    ...(value === undefined ? {} : { value }),
    isRemark: false,
  };
}

function walk(tree: MetaTree, path: string[], problems: EventProblem[]): void {
  for (const [key, child] of Object.entries(tree)) {
    if (problems.length >= 200 || path.length > 24 || typeof child !== "object" || child === null) continue;
    if (key !== "") {
      walk(child as MetaTree, [...path, key], problems);
      continue;
    }
    const { err, rem, val, len } = child as { err?: unknown; rem?: unknown; val?: unknown; len?: unknown };
    const at = path.join(".") || null;
    for (const each of Array.isArray(err) ? err : []) {
      const [kind, data] = Array.isArray(each) ? each : [each, undefined];
      const words = Object.hasOwn(ERROR_WORDS, String(kind))
        ? ERROR_WORDS[String(kind)]
        : String(kind).replaceAll("_", " ");
      const reason = typeof data === "object" && data !== null ? (data as { reason?: unknown }).reason : undefined;
      problems.push({
        path: at,
        message: reason ? `${words}: ${String(reason)}` : String(words),
        ...(val === undefined ? {} : { value: val }),
        isRemark: false,
      });
    }
    for (const each of Array.isArray(rem) ? rem : []) {
      const rule = String(Array.isArray(each) ? each[0] : each);
      const words = Object.hasOwn(RULE_WORDS, rule)
        ? RULE_WORDS[rule]
        : rule.startsWith("@")
          ? `was removed by the rule ${rule}`
          : `was changed by ${rule}`;
      problems.push({
        path: at,
        message: typeof len === "number" ? `${words} (it had ${len.toLocaleString("en")} characters)` : String(words),
        isRemark: true,
      });
    }
  }
}
