import { type ArchiveRule, findArchiveRuleProblem } from "../../domain/issues/archive-rule.ts";

/** The last instant whose year has four digits. */
const MAX_INSTANT = Date.UTC(9999, 11, 31);

const ESCALATES = "x";

/**
 * The rule as text: `t/1764000000000`, `e/100`, `u/10/60`, `x` (until it escalates). Empty for null. The text has neither colon nor
 * comma.
 */
export function serializeArchiveRule(rule: ArchiveRule | null): string {
  if (rule === null) return "";
  if (rule.kind === "escalates") return ESCALATES;
  if (rule.kind === "until") return `t/${rule.until}`;
  const parts = [rule.kind === "events" ? "e" : "u", rule.count];
  return (rule.windowMinutes === null ? parts : [...parts, rule.windowMinutes]).join("/");
}

/** Reads a text of `serializeArchiveRule`. Undefined for any other text. The time may be over: the issue then comes back soon. */
export function parseArchiveRule(text: string): ArchiveRule | null | undefined {
  if (text === "") return null;
  if (text === ESCALATES) return { kind: "escalates" };
  const match = /^([teu])\/(\d{1,15})(?:\/(\d{1,6}))?$/.exec(text);
  if (match === null) return undefined;
  const [, kind, number, windowText] = match;
  const value = Number(number);
  if (kind === "t")
    return windowText === undefined && value <= MAX_INSTANT ? { kind: "until", until: value } : undefined;
  const windowMinutes = windowText === undefined ? null : Number(windowText);
  const rule: ArchiveRule = { kind: kind === "e" ? "events" : "users", count: value, windowMinutes };
  return findArchiveRuleProblem(rule, 0) === null ? rule : undefined;
}
