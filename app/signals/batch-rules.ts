import type { SentryEvent } from "../domain/event.ts";
import type { FilterReason } from "../domain/filters/filter-reason.ts";
import type { ScrubRules } from "../scrub/scrub-rules.ts";

/** The rules of all projects, as they were when a batch began. */
export interface BatchRules {
  /** Why the project does not take the event; null: it does. */
  findFilter(event: SentryEvent, from: { projectId: number; clientAddress: string | null }): FilterReason | null;
  /** The rules by which the project's data is scrubbed. */
  scrubRulesOf(projectId: number): ScrubRules;
  /** Whether a filter needs a new example. Calling it counts as having made one. */
  wantsExample(of: { projectId: number; reason: string; receivedAt: number }): boolean;
}
