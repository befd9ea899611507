import type { SentryEvent } from "../../../domain/event.ts";
import type { GroupingRuling } from "../../../domain/grouping.ts";
import { resolveFingerprint } from "../v1/fingerprint.ts";
import type { GroupedByRules } from "../v1/group-by-rules.ts";
import { groupByRules } from "../v1/group-by-rules.ts";
import type { CollapsedFrames, GroupingRules } from "../v1/rules.ts";
import type { CountedFrame } from "../v1/stack-parts.ts";
import { applyStackRules, type StackRuling } from "./apply-stack-rules.ts";
import { EventMatch } from "./match-event.ts";
import type { ProjectRules } from "./project-rules.ts";

export interface GroupedWithRules extends GroupedByRules {
  /** With the `in_app` that rules say. */
  event: SentryEvent;
  /** Null: no rule says one. */
  title: string | null;
  /** Whether a rule had a say. Then keys of an earlier version, which know no rules, find nothing. */
  isRuled: boolean;
}

/** Characters of a title that a rule says. */
const MAX_TITLE_CHARS = 256;
const MAX_TEXT_CHARS = 200;

/**
 * Stack-trace rules decide which frames count, the first fingerprint rule that holds takes the place of the client's fingerprint, and a
 * split adds its value to the key of what it splits.
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
  if (decided !== null) ruling.fingerprint = { line: decided.line, text: decided.text.slice(0, MAX_TEXT_CHARS) };
  if (stack !== null && stack.used.length > 0)
    ruling.stack = stack.used.slice(0, 10).map((text) => text.slice(0, MAX_TEXT_CHARS));
  if (match.isCut) ruling.isCut = true;
  const title = decided?.title == null ? null : resolve(decided.title, ruled, own);
  const split = grouped.hashes.map((hash) => rules.splits.get(hash)).find((found) => found !== undefined);
  if (split === undefined) return finish(grouped, ruled, title, ruling);
  const base = client.checksum === undefined ? (client.fingerprint ?? []) : [`checksum ${client.checksum}`];
  const fingerprint = [...(base.length === 0 ? ["{{ default }}"] : base), split.variable];
  ruling.split = { id: split.id, name: split.name, variable: split.variable };
  return finish(
    groupByRules(withoutNothing({ ...ruled, fingerprint, checksum: undefined }), own),
    ruled,
    title,
    ruling,
  );
}

function finish(
  grouped: GroupedByRules,
  event: SentryEvent,
  title: string | null,
  ruling: GroupingRuling,
): GroupedWithRules {
  const isRuled = Object.keys(ruling).length > 0;
  const explanation = isRuled ? { ...grouped.explanation, ruling } : grouped.explanation;
  return { ...grouped, explanation, event, title, isRuled };
}

function withoutNothing({ checksum, ...event }: SentryEvent): SentryEvent {
  return checksum === undefined ? event : { ...event, checksum };
}

function resolve(title: string, event: SentryEvent, rules: GroupingRules): string | null {
  const [entry] = resolveFingerprint({ ...event, fingerprint: [title] }, rules)?.entries ?? [];
  const text = entry?.value.replace(/\s+/g, " ").trim() ?? "";
  return text === "" ? null : text.slice(0, MAX_TITLE_CHARS).toWellFormed();
}

/** The version's own rules, with what the project says of these frames before them. */
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
  // Also without a cut: with one in the whole stack there may be one among the app's frames.
  return {
    kept: kept.slice(first),
    leftOut: collapsed?.leftOut ?? [],
    cut: kept.slice(0, first).map(({ index }) => index),
  };
}
