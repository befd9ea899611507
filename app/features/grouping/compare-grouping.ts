import type { Frame, SentryEvent } from "../../domain/event.ts";
import type { GroupingBasis, GroupingContribution, GroupingExplanation } from "../../domain/grouping.ts";
import { explainPart } from "../issues/explain-grouping.ts";

/** An event with the explanation of its group, and its name in sentences. */
export interface GroupedEvent {
  name: string;
  event: SentryEvent;
  grouping: GroupingExplanation;
}

/** One part that both keys may have. */
export interface GroupingRow {
  /** `Type`, `Frame 2`, `Message`, … */
  label: string;
  /** The text that counted. If it did not count, the text that was sent. Null: there is none. */
  left: string | null;
  right: string | null;
  verdict: "same" | "differs" | "not-counted";
  /** True for the row that decides that the two are different. */
  isDecisive: boolean;
}

export interface GroupingComparison {
  /** One or two sentences that say why they are not in the same issue. */
  sentence: string;
  hasSameKey: boolean;
  rows: GroupingRow[];
}

/** Successive frames that did not count. If there are more, only their number is shown. */
const MAX_UNCOUNTED = 2;
const MAX_ROWS = 120;

/** Explains why two events have different keys: the deciding part as a sentence, and then row by row. */
export function compareGrouping(left: GroupedEvent, right: GroupedEvent): GroupingComparison {
  const rows = [
    ...ruleRows(left, right),
    ...pairRows("Grouped by", [BASES[left.grouping.basis]], [BASES[right.grouping.basis]]),
    ...pairRows("Type", textsOf(left, "exception-type"), textsOf(right, "exception-type")),
    ...stackRows(left, right),
    ...pairRows("Value", textsOf(left, "exception-value"), textsOf(right, "exception-value")),
    ...uncountedValue(left, right),
    ...pairRows("Message", textsOf(left, "message"), textsOf(right, "message")),
    ...pairRows("Fingerprint", textsOf(left, "fingerprint"), textsOf(right, "fingerprint")),
    ...pairRows("Detail", textsOf(left, "detail"), textsOf(right, "detail")),
  ].slice(0, MAX_ROWS);
  const hasSameKey = left.grouping.hash === right.grouping.hash;
  const decisive = hasSameKey ? undefined : rows.find(({ verdict }) => verdict === "differs");
  if (decisive) decisive.isDecisive = true;
  return { sentence: sayWhy(left, right, { rows, decisive, hasSameKey }), hasSameKey, rows };
}

const BASES: Record<GroupingBasis, string> = {
  fingerprint: "fingerprint",
  "fingerprint-and-default": "fingerprint, and what Culprit groups by",
  checksum: "checksum",
  "exception-stack": "exceptions with frames",
  "exception-value": "exceptions without frames",
  threads: "frames of a thread",
  stack: "frames of the event",
  csp: "violated directive",
  "security-report": "security report",
  template: "template",
  message: "message",
  fallback: "nothing: the event says nothing that could tell it from others",
};

function sayWhy(
  left: GroupedEvent,
  right: GroupedEvent,
  { rows, decisive, hasSameKey }: { rows: GroupingRow[]; decisive: GroupingRow | undefined; hasSameKey: boolean },
): string {
  if (hasSameKey)
    return "Both have the same key. If they are in two issues, one was stored before a rule or a source map changed its key, or a merge was undone.";
  if (decisive === undefined)
    return left.grouping.version === right.grouping.version
      ? "What counted is the same in both lists, but it counted in another order or number."
      : `They were grouped by different versions: ${left.grouping.version} and ${right.grouping.version}.`;
  const both = `${decisive.left ?? "nothing"} in ${left.name}, ${decisive.right ?? "nothing"} in ${right.name}`;
  if (decisive.label === "Rule") return `Different rules of the project decided: ${both}.`;
  if (decisive.label === "Grouped by") return `Different things form their keys: ${both}.`;
  if (decisive.label === "Type") return `Their types are different: ${both}.`;
  if (!decisive.label.startsWith("Frame")) return `Their ${decisive.label.toLowerCase()}s are different: ${both}.`;
  const inner = rows.find(({ label, verdict }) => label.startsWith("Frame") && verdict === "same");
  const isInnermost = inner === undefined || rows.indexOf(inner) > rows.indexOf(decisive);
  if (decisive.left === null || decisive.right === null) {
    const [longer, frame] = decisive.left === null ? [right, decisive.right] : [left, decisive.left];
    return `${longer.name} has a further frame that counts: ${frame}.`;
  }
  return isInnermost
    ? `They failed in different functions: ${both}.`
    : `Called by another function. Both failed in ${inner.left}, but a caller is part of the key: ${both}.`;
}

/** The fingerprint rule or split of the project that applied to an event. */
function ruleRows(left: GroupedEvent, right: GroupedEvent): GroupingRow[] {
  const ruleOf = ({ grouping: { ruling } }: GroupedEvent) => ruling?.fingerprint?.text ?? ruling?.split?.name ?? null;
  const [one, other] = [ruleOf(left), ruleOf(right)];
  return one === null && other === null ? [] : [toRow("Rule", one, other)];
}

/** The exception that was thrown last comes first: people see it first. */
function textsOf({ event, grouping }: GroupedEvent, kind: GroupingContribution["kind"]): string[] {
  const texts = grouping.contributions.flatMap((part) => (part.kind === kind ? [explainPart(part, event).text] : []));
  return kind === "fingerprint" || kind === "detail" ? texts : texts.reverse();
}

function pairRows(label: string, left: readonly string[], right: readonly string[]): GroupingRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    toRow(label, left[at] ?? null, right[at] ?? null),
  );
}

/** The text of the exception, if the frames decide without it. */
function uncountedValue(left: GroupedEvent, right: GroupedEvent): GroupingRow[] {
  const isCounted = [left, right].some((each) => textsOf(each, "exception-value").length > 0);
  const [one, other] = [left, right].map(({ event }) => event.exception?.values.at(-1)?.value?.slice(0, 300) ?? null);
  if (isCounted || ((one ?? null) === null && (other ?? null) === null)) return [];
  return [{ label: "Value", left: one ?? null, right: other ?? null, verdict: "not-counted", isDecisive: false }];
}

interface SeenFrame {
  text: string;
  /** The part of the key. Null: the frame did not count. */
  key: string | null;
}

function stackRows(left: GroupedEvent, right: GroupedEvent): GroupingRow[] {
  const [ones, others] = [stacksOf(left), stacksOf(right)];
  return Array.from({ length: Math.max(ones.length, others.length) }).flatMap((_, at) =>
    alignFrames(ones[at] ?? [], others[at] ?? []),
  );
}

/** The stacks that grouping used, that of the last exception first. Their frames begin with the innermost. */
function stacksOf({ event, grouping }: GroupedEvent): SeenFrame[][] {
  const counted = new Map<number | null, Map<number, GroupingContribution>>();
  for (const part of grouping.contributions) {
    if (part.kind !== "frame") continue;
    const stack = counted.get(part.exception) ?? new Map<number, GroupingContribution>();
    counted.set(part.exception, stack.set(part.frame, part));
  }
  return [...counted].reverse().map(([exception, parts]) => {
    const frames = framesOf(event, exception, parts);
    return frames
      .map((frame, at): SeenFrame => {
        const part = parts.get(at);
        if (part === undefined || part.kind !== "frame") return { text: nameOf(frame), key: null };
        const { module, filename, function: name, contextLine, address } = part;
        return {
          text: explainPart(part, event).text,
          key: JSON.stringify([module, filename, name, contextLine, address]),
        };
      })
      .reverse();
  });
}

function framesOf(event: SentryEvent, exception: number | null, parts: ReadonlyMap<number, unknown>): Frame[] {
  if (exception !== null) return event.exception?.values[exception]?.stacktrace?.frames ?? [];
  const stacks = [event.stacktrace, ...(event.threads?.values ?? []).map(({ stacktrace }) => stacktrace)];
  const last = Math.max(...parts.keys());
  return stacks.find((stack) => (stack?.frames.length ?? 0) > last)?.frames ?? [];
}

function nameOf(frame: Frame): string {
  const place = frame.module ?? frame.filename ?? frame.abs_path ?? frame.package ?? "";
  const name = frame.function ?? "";
  return name === "" || place === "" ? name || place || "a frame without a name" : `${name} in ${place}`;
}

/** Pairs frames that count. Frames that do not count are shown between them. */
function alignFrames(left: readonly SeenFrame[], right: readonly SeenFrame[]): GroupingRow[] {
  const rows: GroupingRow[] = [];
  let [i, j, number] = [0, 0, 0];
  while (i < left.length || j < right.length) {
    const skippedLeft = takeUncounted(left, i);
    const skippedRight = takeUncounted(right, j);
    i += skippedLeft.length;
    j += skippedRight.length;
    rows.push(...uncountedRows(skippedLeft, skippedRight));
    const [one, other] = [left[i], right[j]];
    if (one === undefined && other === undefined) break;
    number++;
    const row = toRow(`Frame ${number}`, one?.text ?? null, other?.text ?? null);
    rows.push({ ...row, verdict: one?.key === other?.key ? "same" : "differs" });
    i++;
    j++;
  }
  return rows;
}

function takeUncounted(frames: readonly SeenFrame[], from: number): SeenFrame[] {
  const taken: SeenFrame[] = [];
  for (let at = from; frames[at]?.key === null; at++) taken.push(frames[at] as SeenFrame);
  return taken;
}

function uncountedRows(left: readonly SeenFrame[], right: readonly SeenFrame[]): GroupingRow[] {
  const count = Math.max(left.length, right.length);
  const row = (one: string | null, other: string | null): GroupingRow => ({
    label: "Frame",
    left: one,
    right: other,
    verdict: "not-counted",
    isDecisive: false,
  });
  if (count <= MAX_UNCOUNTED)
    return Array.from({ length: count }, (_, at) => row(left[at]?.text ?? null, right[at]?.text ?? null));
  const say = (frames: readonly SeenFrame[]) =>
    frames.length === 0 ? null : frames.length === 1 ? (frames[0]?.text ?? null) : `${frames.length} frames`;
  return [row(say(left), say(right))];
}

function toRow(label: string, left: string | null, right: string | null): GroupingRow {
  return { label, left, right, verdict: left === right ? "same" : "differs", isDecisive: false };
}
