import type { SentryEvent } from "../domain/event.ts";
import type { EarlierKeys, GroupingExplanation } from "../domain/grouping.ts";
import { earlierKeysOf } from "./earlier-keys.ts";
import { groupWithRules } from "./rules/group-with-rules.ts";
import type { ProjectRules } from "./rules/project-rules.ts";
import { titleAndCulprit } from "./title-and-culprit.ts";
import type { EngineKin } from "./v1/engine-kin.ts";
import { groupEventV2, RULES_V2 } from "./v2/group-event-v2.ts";

export interface Grouping {
  /** The event as rules of the project see it: other frames may be in the app. The one given, where no rule says so. */
  event: SentryEvent;
  /** Keys that may find the issue, the main one first: 32 hex characters each. */
  hashes: string[];
  /**
   * For projects that move over from the version before: its keys, looked up when none of `hashes` is known. What they find
   * gets the `hashes`; they are not recorded themselves. Null for every other project.
   */
  earlier: EarlierKeys | null;
  /**
   * For errors in browsers: keys by which other engines' reports of the same error find the issue. `seek` is looked up in
   * order when none of `hashes` is known; what is found decides the issue, and gets the `hashes`. `leave` is stored with
   * the issue, where still free, when the main hash is new to it; keys that were left are found by `seek` alone.
   */
  kin: EngineKin | null;
  explanation: GroupingExplanation;
  title: string;
  /** Exception type, or null for messages and reports. */
  type: string | null;
  /** Value of the main exception, or the message; at most 1,024 characters. */
  value: string;
  culprit: string;
  isUnhandled: boolean;
}

/**
 * Which issue an event belongs to, and what people call it. Pure, and total for any event that normalisation gives.
 *
 * There is a second key when the main one is of in-app frames alone: that of all frames. It is the finer of the two, so it
 * never joins what the main one keeps apart, unless the same stack was judged differently before: then a new SDK, a source
 * map or a rule about what is in the app has moved the line, and the error is still the same one. No key is coarser than
 * the main one: two events of one engine share an issue only if one of their stacks is the same in every part that counts.
 *
 * @param isMovingOver whether the project has issues of version 1 that its events may still belong to
 * @param rules of the project; null: it has none
 */
export function groupEvent(event: SentryEvent, isMovingOver = false, rules: ProjectRules | null = null): Grouping {
  const ruled = rules === null ? null : groupWithRules(event, rules, RULES_V2);
  const { hashes, kin, explanation, mainException } = ruled ?? groupEventV2(event);
  const { title, type, value, culprit } = titleAndCulprit(ruled?.event ?? event, mainException);
  const grouping = {
    event: ruled?.event ?? event,
    hashes,
    earlier: null,
    kin,
    explanation,
    title: withValues(ruled?.title ?? title, ruled?.values ?? []),
    type,
    value,
    culprit,
    isUnhandled: isUnhandled(event),
  };
  // Keys of version 1 know no rules: they would join what a rule tells apart.
  if (!isMovingOver || ruled?.isRuled) return grouping;
  const { earlier, seek } = earlierKeysOf(event, explanation);
  return { ...grouping, earlier, kin: kin === null ? null : { ...kin, seek: [...kin.seek, ...seek] } };
}

/** Characters of a title, as `title-and-culprit.ts` cuts it. */
const MAX_TITLE_CHARS = 256;
const MAX_VALUE_CHARS = 60;

/** Issues that came of one split would have one title. */
function withValues(title: string, values: readonly string[]): string {
  const said = values.filter((value) => !title.includes(value)).map((value) => value.slice(0, MAX_VALUE_CHARS));
  if (said.length === 0) return title;
  const end = ` (${said.join(", ")})`.toWellFormed();
  return `${title.slice(0, MAX_TITLE_CHARS - end.length).toWellFormed()}${end}`;
}

function isUnhandled(event: SentryEvent): boolean {
  return event.exception?.values.some(({ mechanism }) => mechanism?.handled === false) ?? false;
}
