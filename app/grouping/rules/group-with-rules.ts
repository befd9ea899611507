import type { SentryEvent } from "../../domain/event.ts";
import type { GroupingRuling } from "../../domain/grouping.ts";
import type { SplitRule } from "../../domain/grouping-rules/project-rules.ts";
import { MAX_RULE_TEXT_CHARS } from "../../domain/grouping-rules/rule-limits.ts";
import type { CountedFrame } from "../v1/counted-frame.ts";
import { resolveFingerprint } from "../v1/fingerprint.ts";
import type { GroupedByRules } from "../v1/group-by-rules.ts";
import { groupByRules } from "../v1/group-by-rules.ts";
import type { CollapsedFrames, GroupingRules } from "../v1/rules.ts";
import { applyStackRules, type StackRuling } from "./apply-stack-rules.ts";
import { EventMatch } from "./match-event.ts";
import type { ProjectRules } from "./project-rules.ts";
import { splitValueOf } from "./split-value.ts";

export interface GroupedWithRules extends GroupedByRules {
  /** The event with the `in_app` that rules give. */
  event: SentryEvent;
  /** Null: no rule sets a title. */
  title: string | null;
  /** Values of splits, which tell the issues of one title apart. */
  values: string[];
  /** Whether a rule had a say. Then keys of an earlier version, which know no rules, find nothing. */
  isRuled: boolean;
}

/** Characters of a title that a rule says. */
const MAX_TITLE_CHARS = 256;

/**
 * Groups an event by the rules of its project. Stack-trace rules decide which frames count. The first fingerprint rule that matches
 * replaces the client's fingerprint. A split adds its value to the key of the issue that it splits.
 */
export function groupWithRules(event: SentryEvent, rules: ProjectRules, version: GroupingRules): GroupedWithRules {
  const match = new EventMatch(event);
  const stack = rules.stack.length === 0 ? null : applyStackRules(event, rules.stack, match);
  const ruled = stack?.event ?? event;
  const own = stack === null ? version : withStackRules(version, stack);
  const decided = rules.fingerprint.find(({ matchers }) => match.holdsAll(matchers)) ?? null;
  const client = decided === null ? ruled : { ...ruled, fingerprint: decided.fingerprint, checksum: undefined };
  const grouped = groupByRules(withoutNothing(client), own);
  const ruling: GroupingRuling = {};
  if (decided !== null) ruling.fingerprint = { line: decided.line, text: decided.text.slice(0, MAX_RULE_TEXT_CHARS) };
  if (stack !== null && stack.used.length > 0)
    ruling.stack = stack.used.slice(0, 10).map((text) => text.slice(0, MAX_RULE_TEXT_CHARS));
  if (match.isCut) ruling.isCut = true;
  const title = decided?.title == null ? null : resolve(decided.title, ruled, own);
  const split = applySplits(client, ruled, { grouped, rules, version: own });
  if (split === null) return finish({ grouped, event: ruled, title, values: [], ruling });
  ruling.split = split.ruling;
  return finish({ grouped: split.grouped, event: ruled, title, values: split.values, ruling });
}

/** A split of an issue that came of a split, and so on. */
const MAX_SPLIT_DEPTH = 4;

/**
 * Applies splits, which know an issue by its keys. A split without a value in the event changes nothing. The id of the split is part of the
 * key, so that a split that is made again after an undo starts fresh.
 */
function applySplits(
  client: SentryEvent,
  ruled: SentryEvent,
  { grouped, rules, version }: { grouped: GroupedByRules; rules: ProjectRules; version: GroupingRules },
): { grouped: GroupedByRules; values: string[]; ruling: NonNullable<GroupingRuling["split"]> } | null {
  const base = client.checksum === undefined ? (client.fingerprint ?? []) : [`checksum ${client.checksum}`];
  const fingerprint = base.length === 0 ? ["{{ default }}"] : [...base];
  const values: string[] = [];
  let result: ReturnType<typeof applySplits> = null;
  for (let depth = 0; depth < MAX_SPLIT_DEPTH; depth++) {
    const current: GroupedByRules = result?.grouped ?? grouped;
    const found = findSplit(current.hashes, { rules, event: ruled, version });
    if (found === null) return result;
    const { split, value } = found;
    const { id, name, variable } = split;
    fingerprint.push(`${variable}: ${value.replaceAll("{{", "{ {")} (split ${id})`);
    values.push(value);
    result = {
      grouped: groupByRules(withoutNothing({ ...ruled, fingerprint: [...fingerprint], checksum: undefined }), version),
      values,
      ruling: { id, name, variable, value, rest: current.explanation.hash },
    };
  }
  return result;
}

function findSplit(
  hashes: readonly string[],
  { rules, event, version }: { rules: ProjectRules; event: SentryEvent; version: GroupingRules },
): { split: SplitRule; value: string } | null {
  for (const hash of hashes) {
    for (const split of rules.splits.get(hash) ?? []) {
      const value = splitValueOf(event, split.variable, version);
      if (value !== null) return { split, value };
    }
  }
  return null;
}

function finish({
  grouped,
  ruling,
  ...rest
}: Pick<GroupedWithRules, "event" | "title" | "values"> & {
  grouped: GroupedByRules;
  ruling: GroupingRuling;
}): GroupedWithRules {
  const isRuled = Object.keys(ruling).length > 0;
  const explanation = isRuled ? { ...grouped.explanation, ruling } : grouped.explanation;
  return { ...grouped, ...rest, explanation, isRuled };
}

function withoutNothing({ checksum, ...event }: SentryEvent): SentryEvent {
  return checksum === undefined ? event : { ...event, checksum };
}

function resolve(title: string, event: SentryEvent, rules: GroupingRules): string | null {
  const [entry] = resolveFingerprint({ ...event, fingerprint: [title] }, rules)?.entries ?? [];
  const text = entry?.value.replace(/\s+/g, " ").trim() ?? "";
  return text === "" ? null : text.slice(0, MAX_TITLE_CHARS).toWellFormed();
}

/** The version's own rules, with the project's rules about these frames in front. */
function withStackRules(version: GroupingRules, { groups, counts }: StackRuling): GroupingRules {
  return {
    ...version,
    leftOutReason(frame, family, isBrowser) {
      const group = groups.get(frame);
      if (group === undefined) return version.leftOutReason(frame, family, isBrowser);
      return group ? null : "stack-rule";
    },
    collapse(counted, frames, isExhausted) {
      const collapsed = version.collapse(counted, frames, isExhausted);
      const count = counts.get(frames);
      return count === undefined ? collapsed : cut(counted, collapsed, count);
    },
  };
}

/** The innermost frames stay. With fewer than `min`, none does. */
function cut(
  counted: readonly CountedFrame[],
  collapsed: CollapsedFrames | null,
  { max, min }: { max: number | null; min: number | null },
): CollapsedFrames | null {
  const kept = collapsed?.kept ?? [...counted];
  const first = min !== null && kept.length < min ? kept.length : max === null ? 0 : Math.max(0, kept.length - max);
  // Also without a cut in the app's frames: if the whole stack was cut, the app's frames may be affected.
  return {
    kept: kept.slice(first),
    leftOut: collapsed?.leftOut ?? [],
    cut: kept.slice(0, first).map(({ index }) => index),
  };
}
