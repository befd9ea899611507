import type { TimeRange } from "./timeline.ts";

/** The window that is looked at first: microseconds since the throw. */
export const DEFAULT_WINDOW: TimeRange = { fromUs: -10_000_000, toUs: 2_000_000 };
