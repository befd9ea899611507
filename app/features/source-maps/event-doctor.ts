import type { FileReport, FrameReport } from "../../domain/symbolication.ts";
import type { ExplainedFile } from "../../symbolicate/explain-report.ts";
import type { StepFact } from "./step-facts.ts";

/** Why a frame is as it is, for the page and for JSON. */
export interface FrameDoctor {
  report: FrameReport;
  /** Null: the frame names no file that a map could be for. */
  file: FileDoctor | null;
  isMapped: boolean;
  /** Whether the reader misses something: a frame that was not mapped may be plain source already. */
  isUnreadable: boolean;
  /** Whether it is in-app, or one of a stack without in-app frames: a library without a map is no fault of the team's. */
  isOwn: boolean;
  /** One sentence. */
  summary: string;
  /** The frame's own cause, if it differs from the other frames of its file. */
  explained: ExplainedFile | null;
}

export interface FileDoctor extends ExplainedFile {
  /** Place in the report. */
  index: number;
  report: FileReport;
  facts: StepFact[];
  /** Frames of the file that the reader cannot read. */
  unreadableCount: number;
}
