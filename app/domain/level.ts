export const LEVELS = ["debug", "info", "warning", "error", "fatal"] as const;

/** Severity of an event, least to most severe. */
export type Level = (typeof LEVELS)[number];
