import type { LaneState } from "./timeline.ts";

/** The state of an empty lane in one or two words. */
export const MISSING_WORDS: Record<Exclude<LaneState["kind"], "present">, string> = {
  nothing: "nothing",
  "not-sent": "not sent",
  "sampled-out": "sampled out",
  dropped: "dropped",
  expired: "expired",
  damaged: "damaged",
  "not-kept": "not shown yet",
};
