import type { LaneState } from "./timeline.ts";

/** The state of a lane that has nothing, in a word or two. */
export const MISSING_WORDS: Record<Exclude<LaneState["kind"], "present">, string> = {
  nothing: "nothing",
  "not-sent": "not sent",
  "sampled-out": "sampled out",
  dropped: "dropped",
  expired: "expired",
  damaged: "damaged",
  "not-kept": "not shown yet",
};
