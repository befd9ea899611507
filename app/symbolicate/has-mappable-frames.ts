import { collectFrames, type SymbolicationEvent } from "./collect-frames.ts";
import { namesMapping } from "./proguard/load-mappings.ts";

/** Whether an event has frames that an upload may say more about. Cheap: to be asked before anything else. */
export function hasMappableFrames(event: SymbolicationEvent): boolean {
  return namesMapping(event) || collectFrames(event).some((frame) => frame.skipReason === null);
}
