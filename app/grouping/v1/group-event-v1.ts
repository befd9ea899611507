import type { SentryEvent } from "../../domain/event.ts";
import { cleanFunction, cleanModule } from "./clean-names.ts";
import { crashFrameOf } from "./crash-frame.ts";
import { type GroupedByRules, groupByRules } from "./group-by-rules.ts";
import { GROUPING_VERSION } from "./key.ts";
import { leftOutReason, panicMachineryStart } from "./left-out-frames.ts";
import { parameterizeMessage } from "./parameterize-message.ts";
import type { GroupingRules } from "./rules.ts";

export const RULES_V1: GroupingRules = {
  version: GROUPING_VERSION,
  parameterizeMessage,
  cleanFunction,
  cleanModule,
  leftOutReason,
  machineryStart: (frames, family) => (family === "native" ? panicMachineryStart(frames) : frames.length),
  crashFrameOf,
  addressOf: () => null,
  hasMadeUpPlace: () => false,
  kindOf: () => null,
  collapse: () => null,
};

/**
 * Version 1 of the algorithm, after protocol 6.1 to 6.6. Its rules are frozen: what changes keys is a version of its own,
 * in a folder of its own.
 */
export function groupEventV1(event: SentryEvent): GroupedByRules {
  return groupByRules(event, RULES_V1);
}
