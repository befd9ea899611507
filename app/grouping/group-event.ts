import type { SentryEvent } from "../domain/event.ts";
import type { EarlierKeys, GroupingExplanation } from "../domain/grouping.ts";
import { earlierKeysOf } from "./earlier-keys.ts";
import { groupWithRules } from "./rules/group-with-rules.ts";
import type { ProjectRules } from "./rules/project-rules.ts";
import { titleAndCulprit } from "./title-and-culprit.ts";
import type { EngineKin } from "./v1/engine-kin.ts";
import { groupEventV2, RULES_V2 } from "./v2/group-event-v2.ts";

export interface Grouping {
  /** The event after the rules of the project: they may put other frames in the app. It is the given event if no rule does. */
  event: SentryEvent;
  /** Keys that may find the issue, 32 hex characters each. The main key is the first. */
  hashes: string[];
  /**
   * The keys of the version before, for projects that move over from it. They are looked up when none of `hashes` is known. The issue that
   * they find gets the `hashes`; the keys themselves are not stored. Null for every other project.
   */
  earlier: EarlierKeys | null;
  /**
   * For errors in browsers: keys by which reports of the same error from other engines find the issue. `seek` is looked up in order when
   * none of `hashes` is known; the issue that it finds gets the `hashes`. `leave` is stored with the issue, unless already taken, when the
   * main hash is new to it. Only `seek` finds keys of `leave`.
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
 * Decides to which issue an event belongs, and which title the issue has. Pure, and works for any normalised event.
 *
 * If the main key is made of in-app frames only, there is a second key of all frames. It is finer than the main one, so it does not join
 * what the main key keeps apart. The exception is a stack that was judged differently before: a new SDK, a source map or an in-app rule has
 * changed which frames are in-app, and the error is still the same. No key is coarser than the main one: two events of one engine only
 * share an issue if one of their stacks is the same in every part that counts.
 * @param isMovingOver whether the project has issues of version 1 to which its events may still belong
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
  // Keys of version 1 do not consider rules: they would join events that a rule separates.
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
