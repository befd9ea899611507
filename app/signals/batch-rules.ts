import type { SentryEvent } from "../domain/event.ts";
import type { FilterReason } from "../domain/filters/filter-reason.ts";
import type { ScrubRules } from "../scrub/scrub-rules.ts";

/** The rules of all projects, as they were when a batch began. */
export interface BatchRules {
  /** Why the project does not take the event; null: it does. */
  findFilter(event: SentryEvent, from: { projectId: number; clientAddress: string | null }): FilterReason | null;
  /** By what the project's data is scrubbed. */
  scrubRulesOf(projectId: number): ScrubRules;
  /** Whether it is time for a new example of what a filter takes. Asking counts as making one. */
  wantsExample(of: { projectId: number; reason: string; receivedAt: number }): boolean;
}
