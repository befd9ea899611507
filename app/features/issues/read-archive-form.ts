import { type ArchiveRule, findArchiveRuleProblem } from "../../domain/issues/archive-rule.ts";
import { ARCHIVE_CHOICES } from "./archive-choices.ts";

/**
 * Reads from a form what brings an archived issue back. The form has `for` (a name of ARCHIVE_CHOICES), or `by` with its fields:
 * `time` with `until` (an instant) or `untilLocal` (without script, in UTC); `events` or `users` with `count` and `window`
 * (minutes; empty: none); `escalates` without fields. Null: nothing brings it back.
 */
export function readArchiveForm(
  form: FormData,
  now: number,
): { ok: true; rule: ArchiveRule | null } | { ok: false; message: string } {
  const rule = readRule((name) => String(form.get(name) ?? "").trim(), now);
  if (typeof rule === "string") return { ok: false, message: rule };
  const problem = rule && findArchiveRuleProblem(rule, now);
  if (!problem) return { ok: true, rule };
  return { ok: false, message: `${FIELDS[problem.field]}: ${problem.message.replace(/^m/, "M")}.` };
}

const FIELDS = { until: "until", count: "count", windowMinutes: "window" } as const;

/** Returns a text if the form is refused. The text says why. */
function readRule(get: (name: string) => string, now: number): ArchiveRule | null | string {
  const choice = get("for");
  if (choice !== "") {
    const found = ARCHIVE_CHOICES.find(({ name }) => name === choice);
    return found
      ? { kind: "until", until: now + found.ms }
      : `for: Must be one of ${ARCHIVE_CHOICES.map(({ name }) => name).join(", ")}.`;
  }
  const by = get("by");
  switch (by) {
    case "":
      return null;
    case "time": {
      const local = get("untilLocal");
      const until = Date.parse(get("until") || (local && `${local}Z`));
      return Number.isNaN(until) ? "until: Choose a day and a time." : { kind: "until", until };
    }
    case "events":
    case "users": {
      const window = get("window");
      return { kind: by, count: Number(get("count")), windowMinutes: window === "" ? null : Number(window) };
    }
    case "escalates":
      return { kind: "escalates" };
    default:
      return "by: Must be one of time, events, users, escalates.";
  }
}
