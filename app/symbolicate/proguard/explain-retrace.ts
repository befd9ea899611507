import type { MappingReport, RetraceReport, StepState } from "../../domain/symbolication.ts";
import type { Fix } from "../explain-report.ts";
import { type ExplainContext, uploadMappingCommand, withDashes } from "../upload-command.ts";

/** Says in words how the shortened names of an event were restored, or why not. */
export interface ExplainedRetrace {
  /** `found`, if all mappings were. */
  state: StepState;
  /** One sentence. */
  text: string;
  mappings: ExplainedMapping[];
  /** Empty: nothing is missing. */
  fixes: Fix[];
}

export interface ExplainedMapping {
  /** With dashes. */
  debugId: string;
  state: StepState;
  text: string;
  /** Null: nothing was uploaded. */
  uploadId: number | null;
  /** Milliseconds since 1970. */
  uploadedAt: number | null;
}

export function explainRetrace(report: RetraceReport, context: ExplainContext): ExplainedRetrace {
  const { mappings } = report;
  const unusable = mappings.find(({ state }) => state !== "found");
  return {
    state: unusable?.state ?? "found",
    text: unusable === undefined ? describeFound(report) : describeUnusable(unusable),
    mappings: mappings.map(explainMapping),
    fixes: mappings.flatMap((mapping) => listFixes(mapping, context)).slice(0, 1),
  };
}

function describeFound({ foundCount, frameCount }: RetraceReport): string {
  if (foundCount === 0)
    return "No class of this stack is in the mapping of R8 or ProGuard: the names are as they were sent.";
  return `Names and lines are those before R8 or ProGuard: the mapping has the class of ${foundCount} of ${frameCount} frames.`;
}

function describeUnusable({ state, problem }: MappingReport): string {
  switch (state) {
    case "not_uploaded_yet":
      return "Names are shortened by R8 or ProGuard: the mapping of this build was not uploaded.";
    case "timed_out":
      return "Names are shortened by R8 or ProGuard: the mapping of this build was not read in time; the next look may have it.";
    default:
      return `Names are shortened by R8 or ProGuard: the mapping of this build cannot be used: ${problem ?? "it cannot be read"}.`;
  }
}

function explainMapping({ debugId, state, file, problem }: MappingReport): ExplainedMapping {
  return {
    debugId: withDashes(debugId),
    state,
    text: describeMapping(state, problem),
    uploadId: file?.bundleId ?? null,
    uploadedAt: file?.uploadedAt ?? null,
  };
}

function describeMapping(state: StepState, problem: string | null): string {
  switch (state) {
    case "found":
      return "was used";
    case "not_uploaded_yet":
      return "was not uploaded";
    case "timed_out":
      return "was not read in time";
    default:
      return `cannot be used: ${problem ?? "it cannot be read"}`;
  }
}

function listFixes({ debugId, state }: MappingReport, context: ExplainContext): Fix[] {
  switch (state) {
    case "found":
    case "timed_out":
      return [];
    case "not_uploaded_yet":
      return [
        {
          text: "Upload the mapping.txt that the build wrote. Events that are stored already get their names, too:",
          command: uploadMappingCommand(context, debugId),
        },
      ];
    default:
      return [
        {
          text: "Upload the mapping.txt of this build again:",
          command: uploadMappingCommand(context, debugId),
        },
      ];
  }
}
