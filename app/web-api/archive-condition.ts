import { z } from "zod";
import { type ArchiveRule, findArchiveRuleProblem } from "../domain/issues/archive-rule.ts";
import { MINUTE_MS } from "../domain/time.ts";
import { refusal } from "./answers.ts";
import { instant } from "./shapes.ts";

const minutes = z.int().nullish();

/** Fields that say when an ignored issue comes back, with Sentry's names. They may be in the body or in its `statusDetails`. */
export const ARCHIVE_CONDITION = {
  ignoreDuration: minutes.describe("for so many minutes"),
  ignoreUntil: z.iso.datetime({ offset: true, error: "must be an instant like 2026-11-30T12:00:00Z" }).nullish(),
  ignoreCount: z.int().nullish().describe("until so many more events"),
  ignoreWindow: minutes.describe("of ignoreCount: so many within these minutes"),
  ignoreUserCount: z.int().nullish().describe("until so many more users"),
  ignoreUserWindow: minutes.describe("of ignoreUserCount: so many within these minutes"),
};
const condition = z.object(ARCHIVE_CONDITION);
type ArchiveCondition = z.output<typeof condition>;
type ConditionName = keyof ArchiveCondition;

const NAMES = Object.keys(ARCHIVE_CONDITION) as ConditionName[];

/** The same conditions, as answers show them. */
const archiveConditionAnswer = z.object({
  ignoreUntil: instant.optional(),
  ignoreCount: z.int().optional(),
  ignoreWindow: z.int().optional(),
  ignoreUserCount: z.int().optional(),
  ignoreUserWindow: z.int().optional(),
});

/**
 * Reads the archive rule from a request. The conditions may be in the body or in its `statusDetails`. Null: the issue is archived for ever.
 * @throws a 400 answer that names the field.
 */
export function readArchiveRule(
  body: ArchiveCondition & { statusDetails?: ArchiveCondition | null | undefined },
  now: number,
): ArchiveRule | null {
  const details = body.statusDetails ?? {};
  const prefixOf = (name: ConditionName) => (isGiven(body[name]) ? "" : "statusDetails.");
  const twice = NAMES.find((name) => isGiven(body[name]) && isGiven(details[name]));
  if (twice) throw refusal(400, `${twice}: is in statusDetails, too`);
  const asked = Object.fromEntries(NAMES.map((name) => [name, body[name] ?? details[name] ?? null])) as {
    [Name in ConditionName]: NonNullable<ArchiveCondition[Name]> | null;
  };
  for (const [name, needed] of [
    ["ignoreWindow", "ignoreCount"],
    ["ignoreUserWindow", "ignoreUserCount"],
  ] as const) {
    if (asked[name] !== null && asked[needed] === null) throw refusal(400, `${prefixOf(name)}${name}: needs ${needed}`);
  }
  const [first, second] = (["ignoreDuration", "ignoreUntil", "ignoreCount", "ignoreUserCount"] as const).filter(
    (name) => asked[name] !== null,
  );
  if (first === undefined) return null;
  if (second !== undefined)
    throw refusal(400, `${prefixOf(second)}${second}: cannot be combined with ${first}; give one condition`);
  const { rule, fields } = toRule(first, asked, now);
  const problem = findArchiveRuleProblem(rule, now);
  if (problem === null) return rule;
  const field = fields[problem.field] ?? first;
  const message = first === "ignoreDuration" ? "must be a whole number from 1 to 527040 (a year)" : problem.message;
  throw refusal(400, `${prefixOf(field)}${field}: ${message}`);
}

/** The rule, and the names of the fields from which its numbers come. */
function toRule(
  kind: "ignoreDuration" | "ignoreUntil" | "ignoreCount" | "ignoreUserCount",
  asked: { [Name in ConditionName]: NonNullable<ArchiveCondition[Name]> | null },
  now: number,
): { rule: ArchiveRule; fields: Partial<Record<"until" | "count" | "windowMinutes", ConditionName>> } {
  switch (kind) {
    case "ignoreDuration":
      return { rule: { kind: "until", until: now + (asked.ignoreDuration ?? 0) * MINUTE_MS }, fields: {} };
    case "ignoreUntil":
      return { rule: { kind: "until", until: Date.parse(asked.ignoreUntil ?? "") }, fields: {} };
    case "ignoreCount":
      return {
        rule: { kind: "events", count: asked.ignoreCount ?? 0, windowMinutes: asked.ignoreWindow },
        fields: { windowMinutes: "ignoreWindow" },
      };
    case "ignoreUserCount":
      return {
        rule: { kind: "users", count: asked.ignoreUserCount ?? 0, windowMinutes: asked.ignoreUserWindow },
        fields: { windowMinutes: "ignoreUserWindow" },
      };
  }
}

export function serializeArchiveRule(rule: ArchiveRule): z.input<typeof archiveConditionAnswer> {
  switch (rule.kind) {
    case "escalates":
      return {};
    case "until":
      return { ignoreUntil: new Date(rule.until).toISOString() };
    case "events":
      return { ignoreCount: rule.count, ...(rule.windowMinutes === null ? {} : { ignoreWindow: rule.windowMinutes }) };
    case "users":
      return {
        ignoreUserCount: rule.count,
        ...(rule.windowMinutes === null ? {} : { ignoreUserWindow: rule.windowMinutes }),
      };
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
