import type { Workspace } from "../../access/workspace.ts";
import type { Frame, SentryEvent, Stacktrace } from "../../domain/event.ts";
import { pickThread } from "../../domain/pick-thread.ts";
import { narrowScope } from "../../domain/scope.ts";
import { toFrameFunction, toFramePlace, toFramePosition } from "../events/frame-words.ts";
import { layoutFrames } from "../events/layout-frames.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { findIssue } from "./get-issue-page.server.ts";

/** One call of the stack, in its shortest form. */
export interface PreviewFrame {
  function: string;
  /** `src/cart.ts`. Null: the event does not say it. */
  place: string | null;
  /** `:14:42`, `:14`, or empty. */
  position: string;
  /** The line that ran, without its indentation. Null: the SDK did not send it. */
  contextLine: string | null;
}

/** A summary of an issue before it is opened, from its latest event. */
export interface IssuePreview {
  shortId: string;
  /** The value of the exception, or the message. */
  message: string;
  /** The newest call comes first. Null: the event has no stack, or retention has deleted the event. */
  stack: { frames: PreviewFrame[]; isInApp: boolean; otherCount: number } | null;
  /** Null: retention has deleted the latest event. */
  event: { occurredAt: number; tags: Array<[key: string, value: string]> } | null;
}

const MAX_FRAMES = 4;
const MAX_FRAMES_OUTSIDE = 3;
const MAX_TAGS = 6;
/** Characters. Minified code and pasted documents can be one long line. */
const MAX_LINE_LENGTH = 160;
const MAX_MESSAGE_LENGTH = 400;
const MAX_TAG_LENGTH = 60;
/** Tags that the row, or another tag, already shows. */
const PLAIN_TAGS = new Set([
  "level",
  "environment",
  "release",
  "transaction",
  "logger",
  "mechanism",
  "handled",
  "url",
  "browser.name",
  "os.name",
  "runtime.name",
]);

/** Reads the issue by number or short id, and its latest event in the environments (none given: in any). Null: there is no such issue. */
export async function getIssuePreview(
  workspace: Workspace,
  { issueId, environments }: { issueId: string; environments: readonly string[] },
): Promise<IssuePreview | null> {
  const issue = await findIssue(workspace, issueId);
  if (!issue) return null;
  const filter = {
    projectIds: narrowScope(workspace.scope, [issue.projectId]).projectIds,
    issueId: issue.id,
    from: null,
    to: null,
    ...(environments.length > 0 ? { environments: [...environments] } : {}),
  };
  const row = await readStoredEvents(
    workspace,
    () => workspace.events.findEdge(filter, "latest"),
    (latest) => latest === null,
  );
  const event = (row && (await workspace.payloads.readEvent(row.payload)))?.event ?? null;
  return {
    shortId: issue.shortId,
    message: cut((event && messageOf(event)) || issue.value || issue.title, MAX_MESSAGE_LENGTH),
    stack: event && toPreviewStack(event),
    event: row && { occurredAt: row.occurredAt, tags: toPreviewTags(row, event) },
  };
}

function messageOf(event: SentryEvent): string {
  return event.exception?.values.at(-1)?.value ?? event.logentry?.formatted ?? event.logentry?.message ?? "";
}

/** The stack of the last exception that has one, otherwise the event's own stack, otherwise that of the crashed thread. */
function findStack(event: SentryEvent): Stacktrace | undefined {
  const thrown = event.exception?.values.findLast((exception) => exception.stacktrace)?.stacktrace;
  return thrown ?? event.stacktrace ?? pickThread(event)?.stacktrace;
}

function toPreviewStack(event: SentryEvent): IssuePreview["stack"] {
  const stacktrace = findStack(event);
  if (!stacktrace) return null;
  const calls = layoutFrames(stacktrace.frames, { order: "newest", isFull: true }).flatMap((block) =>
    block.kind === "frame" ? block.placed.frame : [],
  );
  const own = calls.filter((frame) => frame.in_app);
  const isInApp = own.length > 0;
  const shown = isInApp ? own.slice(0, MAX_FRAMES) : calls.slice(0, MAX_FRAMES_OUTSIDE);
  return { frames: shown.map(toPreviewFrame), isInApp, otherCount: calls.length - shown.length };
}

function toPreviewFrame(frame: Frame): PreviewFrame {
  const place = toFramePlace(frame);
  const line = frame.context_line?.trim() ?? "";
  return {
    function: cut(toFrameFunction(frame), MAX_LINE_LENGTH),
    // The end of a path says more than its beginning.
    place: place !== null && place.length > MAX_LINE_LENGTH ? `…${place.slice(-MAX_LINE_LENGTH)}` : place,
    position: toFramePosition(frame),
    contextLine: line === "" ? null : cut(line, MAX_LINE_LENGTH),
  };
}

function toPreviewTags(
  row: { environment: string | null; release: string | null },
  event: SentryEvent | null,
): Array<[key: string, value: string]> {
  const tags: Array<[key: string, value: string]> = [];
  if (row.environment) tags.push(["environment", row.environment]);
  if (row.release) tags.push(["release", row.release]);
  tags.push(...(event?.tags ?? []).filter(([key]) => !PLAIN_TAGS.has(key)));
  return tags.slice(0, MAX_TAGS).map(([key, value]) => [cut(key, MAX_TAG_LENGTH), cut(value, MAX_TAG_LENGTH)]);
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
