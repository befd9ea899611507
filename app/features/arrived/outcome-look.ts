import type { Outcome } from "../../domain/outcome.ts";

/** The colours of each outcome: for a fill and for a ground. The outcome's name always stands beside them. */
export const OUTCOME_LOOK: Record<Outcome, { fill: string; ground: string }> = {
  accepted: { fill: "fill-resolved", ground: "bg-resolved" },
  deleted: { fill: "fill-ink", ground: "bg-ink" },
  damaged: { fill: "fill-danger", ground: "bg-danger" },
  duplicate: { fill: "fill-debug", ground: "bg-debug" },
  filtered: { fill: "fill-archived", ground: "bg-archived" },
  rate_limited: { fill: "fill-warning", ground: "bg-warning" },
  too_large: { fill: "fill-error", ground: "bg-error" },
  malformed: { fill: "fill-fatal", ground: "bg-fatal" },
  unsupported: { fill: "fill-info", ground: "bg-info" },
  client_discard: { fill: "fill-regressed", ground: "bg-regressed" },
};
