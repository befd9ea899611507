import { defineSignal } from "../signal.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { readError, readSecurityReports } from "./read-error.ts";

/** Errors and messages. */
export const ERROR = defineSignal({
  itemTypes: ["event"],
  category: "error",
  ...EVENT_LIMITS,
  isEventLike: true,
  read: readError,
});

/** Reports that browsers send by themselves (CSP and others). Ingest calls them `raw_security`, SDKs `security`. */
export const SECURITY = defineSignal({
  itemTypes: ["security", "raw_security"],
  category: "security",
  ...EVENT_LIMITS,
  isEventLike: true,
  read: (item, context) => (item.header.type === "security" ? readError : readSecurityReports)(item, context),
});
