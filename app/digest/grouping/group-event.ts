import type { SentryEvent } from "../../domain/event.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { titleAndCulprit } from "./title-and-culprit.ts";
import type { EngineKin } from "./v1/engine-kin.ts";
import { groupEventV1 } from "./v1/group-event-v1.ts";

export interface Grouping {
  /** Keys that may find the issue, the main one first: 32 hex characters each. */
  hashes: string[];
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
 */
export function groupEvent(event: SentryEvent): Grouping {
  const { hashes, kin, explanation, mainException } = groupEventV1(event);
  const { title, type, value, culprit } = titleAndCulprit(event, mainException);
  return { hashes, kin, explanation, title, type, value, culprit, isUnhandled: isUnhandled(event) };
}

function isUnhandled(event: SentryEvent): boolean {
  return event.exception?.values.some(({ mechanism }) => mechanism?.handled === false) ?? false;
}
