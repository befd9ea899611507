import type { SentryEvent } from "../../domain/event.ts";
import { type GroupedByRules, groupByRules } from "../v1/group-by-rules.ts";
import type { GroupingRules } from "../v1/rules.ts";
import { addressOf } from "./address-in-image.ts";
import { cleanFunction, cleanModule } from "./clean-names.ts";
import { collapse } from "./collapse-calls.ts";
import { crashFrameOf } from "./crash-frame.ts";
import { kindOf } from "./error-kind.ts";
import { leftOutReason, machineryStart } from "./left-out-frames.ts";
import { hasMadeUpPlace } from "./made-up-place.ts";
import { parameterizeMessage } from "./parameterize-message.ts";

export const RULES_V2: GroupingRules = {
  version: "culprit:2",
  parameterizeMessage,
  cleanFunction,
  cleanModule,
  leftOutReason,
  machineryStart,
  crashFrameOf,
  addressOf,
  hasMadeUpPlace,
  kindOf,
  collapse,
};

/** Version 2 of the algorithm. Its rules are frozen once released, as those of version 1 are. */
export function groupEventV2(event: SentryEvent): GroupedByRules {
  return groupByRules(event, RULES_V2);
}
