import type { GroupingContribution, GroupingExplanation } from "../../domain/grouping.ts";
import { type ExplainedPart, explainPart } from "./explain-grouping.ts";
import { enumerate } from "./list-in-words.ts";

/** One row of two keys laid side by side. */
export interface ComparedPart {
  in: "both" | "first" | "second";
  part: ExplainedPart;
}

export interface GroupingComparison {
  /** Whether both have the same key. Events of one issue may differ in it: an issue can have several keys. */
  isSame: boolean;
  /** `The frames differ: only the first has checkout in cart.js.` */
  sentence: string;
  /** Both keys, in order. */
  parts: ComparedPart[];
}

/** What two events have in common in their keys, and what keeps them apart: "why not together?". */
export function compareGroupings(a: GroupingExplanation, b: GroupingExplanation): GroupingComparison {
  const parts = alignParts(a.contributions, b.contributions).map((row) => ({
    in: row.in,
    part: explainPart(row.part, null),
  }));
  if (a.hash === b.hash) return { isSame: true, sentence: "Both have the same key.", parts };
  return { isSame: false, sentence: differenceSentence(a, b, parts), parts };
}

function differenceSentence(a: GroupingExplanation, b: GroupingExplanation, parts: readonly ComparedPart[]): string {
  if (a.version !== b.version)
    return `They were grouped by different versions of the rules: ${a.version} and ${b.version}.`;
  if (a.basis !== b.basis)
    return `They were grouped by different things: the first by ${BASIS_WORDS[a.basis]}, the second by ${BASIS_WORDS[b.basis]}.`;
  const different = parts.filter((row) => row.in !== "both");
  if (different.length === 0) return "They agree in everything that is listed, but not in how it was counted.";
  // The first that differs, in the order in which people would look.
  const label =
    LABELS_BY_WEIGHT.find((wanted) => different.some(({ part }) => part.label === wanted)) ??
    different[0]?.part.label ??
    "";
  const only = (side: "first" | "second") =>
    different.filter((row) => row.in === side && row.part.label === label).map(({ part }) => part.text);
  const said = (["first", "second"] as const).flatMap((side) =>
    only(side).length > 0 ? [`only the ${side} has ${enumerate(only(side).reverse(), MAX_PARTS_SAID)}`] : [],
  );
  const variant =
    a.variant === b.variant ? "" : " One was grouped by in-app frames alone, the other by all of its frames.";
  return `The ${PLURALS[label] ?? label.toLowerCase()} differ: ${said.join("; ")}.${variant}`;
}

const LABELS_BY_WEIGHT = ["Fingerprint", "Exception type", "Frame", "Exception value", "Message"];
const PLURALS: Record<string, string> = {
  Fingerprint: "fingerprints",
  "Exception type": "exception types",
  Frame: "frames",
  "Exception value": "exception values",
  Message: "messages",
};

const BASIS_WORDS = {
  fingerprint: "the fingerprint that the application set",
  "fingerprint-and-default": "a fingerprint together with what it would be grouped by anyway",
  checksum: "a checksum",
  "exception-stack": "an exception and its frames",
  "exception-value": "an exception and its value",
  threads: "the frames of a thread",
  stack: "the frames of a stack",
  csp: "a violated content security policy",
  "security-report": "a security report",
  template: "a template",
  message: "the words of a message",
  fallback: "nothing: it holds no words and no frames",
} satisfies Record<GroupingExplanation["basis"], string>;

/** Longest common subsequence: which parts both keys have in the same order. */
function alignParts(
  a: readonly GroupingContribution[],
  b: readonly GroupingContribution[],
): Array<{ in: ComparedPart["in"]; part: GroupingContribution }> {
  const keysA = a.map(partKey);
  const keysB = b.map(partKey);
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row)
        row[j] =
          keysA[i] === keysB[j]
            ? 1 + (lengths[i + 1]?.[j + 1] ?? 0)
            : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const rows: Array<{ in: ComparedPart["in"]; part: GroupingContribution }> = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const inA = a[i];
    const inB = b[j];
    if (inA !== undefined && inB !== undefined && keysA[i] === keysB[j]) {
      rows.push({ in: "both", part: inA });
      i += 1;
      j += 1;
    } else if (inA !== undefined && (inB === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      rows.push({ in: "first", part: inA });
      i += 1;
    } else if (inB !== undefined) {
      rows.push({ in: "second", part: inB });
      j += 1;
    }
  }
  return rows;
}

/** What of a part is hashed: not where it stands. */
function partKey(part: GroupingContribution): string {
  switch (part.kind) {
    case "frame":
      return JSON.stringify(["frame", part.module, part.filename, part.function, part.contextLine]);
    case "detail":
      return JSON.stringify(["detail", part.name, part.value]);
    default:
      return JSON.stringify([part.kind, part.value]);
  }
}

const MAX_PARTS_SAID = 3;
