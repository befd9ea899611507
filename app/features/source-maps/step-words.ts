import type { StepState } from "../../domain/symbolication.ts";
import type { ExplainedStep } from "../../symbolicate/explain-report.ts";

/** The names of the steps from a frame to its source on pages. */
export const STEP_NAMES: Record<ExplainedStep["step"], string> = {
  event: "Debug id or URL",
  upload: "Bundle",
  "generated-file": "File",
  "source-map": "Source map",
  mapping: "Mapping",
};

export const STATE_WORDS: Record<StepState, string> = {
  found: "Found",
  missing: "Missing",
  mismatch: "Does not fit",
  not_uploaded_yet: "Not uploaded yet",
  skipped: "Not looked at",
  timed_out: "Took too long",
};
