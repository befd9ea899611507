import type { Frame, SentryEvent } from "../../domain/event.ts";
import type { FileReport, FrameReport, StackPlace, SymbolicationReport } from "../../domain/symbolication.ts";
import { type ExplainedFile, explainFile, explainReport, explainSkip } from "../../symbolicate/explain-report.ts";
import { isPlainSource } from "../../symbolicate/plain-source.ts";
import { type ExplainedRetrace, explainRetrace } from "../../symbolicate/proguard/explain-retrace.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import type { EventPage } from "../events/get-event-page.server.ts";
import type { FileDoctor, FrameDoctor } from "./event-doctor.ts";
import { listFacts } from "./step-facts.ts";
import { type StackCause, summarizeCauses } from "./summarize-causes.ts";

export interface EventDoctor {
  /** Files in the order of the report. */
  files: FileDoctor[];
  /** Files with frames that are mapped or cannot be read. */
  findings: FileDoctor[];
  frames: FrameDoctor[];
  /** The findings on frames by their places. */
  framesByPlace: ReadonlyMap<string, FrameDoctor>;
  /** Why in-app frames cannot be read. Causes with most frames come first. Empty: all of them can be read. */
  causes: StackCause[];
  failure: SymbolicationReport["failure"];
  /** Null: the event names no mapping of R8 or ProGuard. */
  retrace: ExplainedRetrace | null;
  /** The slug of the project. */
  project: string;
}

/** Puts the report of an event into words, frame by frame. It is pure: pages and the web API show the same. */
export function explainEvent(event: SentryEvent, report: SymbolicationReport, context: ExplainContext): EventDoctor {
  const files = explainReport(report, context).map((explained, index): FileDoctor => {
    const file = report.files[index] as FileReport;
    return { ...explained, index, report: file, facts: listFacts(file), unreadableCount: 0 };
  });
  const hasInApp = report.frames.some(({ place, frameIndex }) => frameAt(event, place, frameIndex)?.in_app);
  const frames = report.frames.map((frame): FrameDoctor => {
    const file = frame.fileIndex === null ? null : (files[frame.fileIndex] ?? null);
    const isMapped = frame.mapping.state === "found";
    const sent = frameAt(event, frame.place, frame.frameIndex);
    const isUnreadable =
      file === null
        ? isSkippedAndOpaque(frame, sent)
        : !isMapped && !(sent !== undefined && isPlainSource(sent, file.absPath));
    if (file !== null && isUnreadable) file.unreadableCount += 1;
    const isOwn = !hasInApp || sent?.in_app === true;
    const explained = file === null ? null : explainFile(file.report, [frame], context);
    return { report: frame, file, isMapped, isUnreadable, isOwn, summary: describeFrame(frame, explained), explained };
  });
  return {
    files,
    findings: files.filter(({ isMapped, unreadableCount }) => isMapped || unreadableCount > 0),
    frames,
    framesByPlace: new Map(frames.map((frame) => [keyOf(frame.report.place, frame.report.frameIndex), frame])),
    causes: summarizeCauses(frames),
    failure: report.failure,
    retrace: report.retrace === null ? null : explainRetrace(report.retrace, context),
    project: context.project,
  };
}

export function findFrameDoctor(
  { framesByPlace }: EventDoctor,
  place: StackPlace,
  frameIndex: number,
): FrameDoctor | undefined {
  return framesByPlace.get(keyOf(place, frameIndex));
}

function keyOf({ kind, index }: StackPlace, frameIndex: number): string {
  return `${kind} ${index} ${frameIndex}`;
}

/**
 * Removes the report from a page if it says nothing: that of plain source, as in most events of Node. Such a report would be as long
 * as the stack.
 */
export function dropSilentReport<Page extends Pick<EventPage, "stored" | "symbolication">>(
  page: Page,
  context: ExplainContext,
): Page {
  const { stored, symbolication: report } = page;
  if (stored === null || report === null || report.failure !== null || report.retrace !== null) return page;
  const { findings, frames } = explainEvent(stored.event, report, context);
  const isSilent = findings.length === 0 && frames.every(({ isUnreadable }) => !isUnreadable);
  return isSilent ? { ...page, symbolication: null } : page;
}

function describeFrame({ skipReason }: FrameReport, explained: ExplainedFile | null): string {
  if (explained !== null) return (explained.isMapped && explained.steps.at(-1)?.text) || explained.summary;
  return skipReason === null ? "The frame is not of JavaScript." : explainSkip(skipReason);
}

function frameAt(event: SentryEvent, { kind, index }: StackPlace, frameIndex: number): Frame | undefined {
  const owner =
    kind === "exception" ? event.exception?.values[index] : kind === "thread" ? event.threads?.values[index] : event;
  return owner?.stacktrace?.frames[frameIndex];
}

/** Code without a map that cannot be read. Code of Node or the engine itself does not count. */
function isSkippedAndOpaque({ skipReason }: FrameReport, frame: Frame | undefined): boolean {
  if (skipReason === null || frame?.in_app === false) return false;
  return (
    skipReason === "anonymous-code" ||
    skipReason === "data-url" ||
    skipReason === "webassembly" ||
    skipReason === "inline-script" ||
    skipReason === "no-line"
  );
}
