import type { FileReport, FrameReport } from "../../domain/symbolication.ts";
import type { ExplainedFile } from "../../symbolicate/explain-report.ts";
import type { StepFact } from "./step-facts.ts";

/** Explains the state of a frame, for the page and for JSON. */
export interface FrameDoctor {
  report: FrameReport;
  /** Null: the frame names no file that a map could be for. */
  file: FileDoctor | null;
  isMapped: boolean;
  /** Whether the frame cannot be read. A frame that was not mapped may already be plain source. */
  isUnreadable: boolean;
  /** Whether it is in-app, or in a stack without in-app frames. A library without a map is not a mistake of the team. */
  isOwn: boolean;
  /** One sentence. */
  summary: string;
  /** The frame's own cause, if it differs from the other frames of its file. */
  explained: ExplainedFile | null;
}

export interface FileDoctor extends ExplainedFile {
  /** The index of the file in the report. */
  index: number;
  report: FileReport;
  facts: StepFact[];
  /** The number of the file's frames that cannot be read. */
  unreadableCount: number;
}
