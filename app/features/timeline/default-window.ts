import type { TimeRange } from "./timeline.ts";

/** The initial window, in microseconds since the throw. */
export const DEFAULT_WINDOW: TimeRange = { fromUs: -10_000_000, toUs: 2_000_000 };
