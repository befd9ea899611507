import type { Frame, SentryEvent, SentryException, Stacktrace } from "../../domain/event.ts";
import { type ExceptionRelation, findRelation } from "../../domain/exception-relation.ts";
import { pickThread } from "../../domain/pick-thread.ts";
import { escapeMarkdown, fence, inlineCode, toFactLines } from "../markdown/write-markdown.ts";
import { readFeatureFlags } from "./feature-flags.ts";
import { toFrameFunction, toFramePlace, toFramePosition } from "./frame-words.ts";
import { listContexts, listUserValues, nameContext } from "./list-contexts.ts";
import { openValueSection } from "./value-section.ts";

/** `TypeError: x is undefined`, or only the type or the value if the other is missing. */
function toExceptionLine(exception: SentryException): string {
  const type = exception.type ?? "Error";
  return exception.value ? `${type}: ${exception.value}` : type;
}

/**
 * The stack traces of an event as plain text, similar to what the platform's runtime prints: oldest call first for Python, newest
 * first for all others. Causes follow the exceptions that they caused.
 */
export function toStackText(event: SentryEvent): string {
  const values = event.exception?.values ?? [];
  const parts = values
    .map((exception, index) => toExceptionText(exception, event.platform, findRelation(values, index)))
    .reverse();
  if (parts.length === 0) {
    const stack = event.stacktrace ?? pickThread(event)?.stacktrace;
    if (stack) parts.push(toFrameLines(stack, event.platform).join("\n"));
  }
  return parts.join("\n");
}

function toExceptionText(exception: SentryException, platform: string, relation: ExceptionRelation | null): string {
  const lines = exception.stacktrace ? toFrameLines(exception.stacktrace, platform) : [];
  const head = toExceptionLine(exception);
  const lead = relation && toLead(relation);
  if (platform === "python") {
    return [
      ...(lead === null ? [] : ["", lead]),
      ...(lines.length > 0 ? ["Traceback (most recent call last):"] : []),
      ...lines,
      head,
    ].join("\n");
  }
  return [lead === null ? head : `${lead} ${head}`, ...lines].join("\n");
}

/** Members of a group did not cause each other. */
function toLead({ kind, parent }: ExceptionRelation): string {
  if (kind === "member") return `Member of ${parent ?? "the group"}:`;
  return kind === "suppressed" ? "Suppressed:" : "Caused by:";
}

function toFrameLines(stacktrace: Stacktrace, platform: string): string[] {
  if (platform === "python") {
    return stacktrace.frames.flatMap((frame) => [
      `  File "${frame.abs_path ?? toFramePlace(frame) ?? "unknown"}", line ${frame.lineno ?? "?"}, in ${toFrameFunction(frame)}`,
      ...(frame.context_line === undefined ? [] : [`    ${frame.context_line.trim()}`]),
    ]);
  }
  return [...stacktrace.frames]
    .reverse()
    .map((frame) => `    at ${toFrameFunction(frame)} (${toFramePlace(frame) ?? "unknown"}${toFramePosition(frame)})`);
}

const CONTEXT_FRAMES = 3;
const VARIABLE_FRAMES = 5;
const LAST_CRUMBS = 20;

/** An event as Markdown for a colleague or a tool: what happened, where and to whom, but not how often. `link` leads back to the event. */
export function toEventMarkdown(event: SentryEvent, { title, link }: { title: string; link: string }): string {
  return `${[`# ${escapeMarkdown(title)}`, "", `<${link}>`, "", ...toEventFacts(event), ...toEventSections(event)].join("\n")}\n`;
}

/** A list of the event's short facts. */
export function toEventFacts(event: SentryEvent): string[] {
  const traceId = event.contexts?.trace?.trace_id;
  return toFactLines([
    ["Event", event.event_id],
    ["Time", new Date(event.timestamp * 1000).toISOString()],
    ["Level", event.level],
    ["Environment", event.environment],
    ["Release", event.release],
    ["Transaction", event.transaction],
    ["Request", event.request?.url && `${event.request.method ?? "GET"} ${event.request.url}`],
    ["Trace", typeof traceId === "string" ? traceId : null],
    ["User", event.user && (event.user.id ?? event.user.email ?? event.user.username ?? event.user.ip_address)],
  ]);
}

/** Message, stack with source lines and variables, the last breadcrumbs, user, tags, contexts and other data, each under a heading. */
export function toEventSections(event: SentryEvent): string[] {
  const lines: string[] = [];
  const message = event.logentry?.formatted ?? event.logentry?.message;
  if (message && !event.exception) lines.push("", fence(message));
  const stack = toStackText(event);
  if (stack) lines.push("", "## Stack trace", "", fence(stack));
  const sources = listSourceContexts(event);
  if (sources.length > 0) lines.push("", "## Source", ...sources);
  lines.push(...toVariableSection(event));
  const crumbs = event.breadcrumbs?.values ?? [];
  if (crumbs.length > 0) {
    lines.push("", "## Breadcrumbs", "");
    if (crumbs.length > LAST_CRUMBS) lines.push(`The last ${LAST_CRUMBS} of ${crumbs.length}.`, "");
    for (const crumb of crumbs.slice(-LAST_CRUMBS)) {
      const at = crumb.timestamp === undefined ? "" : `${new Date(crumb.timestamp * 1000).toISOString()} `;
      const text = crumb.message ?? (crumb.data ? JSON.stringify(crumb.data) : "");
      lines.push(`- ${at}${inlineCode(`${crumb.category ?? crumb.type}: ${text}`.slice(0, 300))}`);
    }
  }
  lines.push(...toValueList("User", listUserValues(event.user ?? {})));
  lines.push(...toValueList("Tags", event.tags ?? []));
  lines.push(...toContextSection(event));
  const flags = readFeatureFlags(event.contexts?.flags) ?? [];
  lines.push(
    ...toValueList(
      "Feature flags",
      flags.map(([flag, result]) => [flag, JSON.stringify(result)]),
    ),
  );
  lines.push(...toValueList("Additional data", Object.entries(event.extra ?? {})));
  return lines;
}

function toValueList(title: string, values: ReadonlyArray<readonly [name: string, value: unknown]>): string[] {
  if (values.length === 0) return [];
  const section = openValueSection();
  return ["", `## ${title}`, "", ...section.take(values).map((value) => `- ${value}`), ...section.sayMissing()];
}

/** One line per context. Flags have a section of their own. */
function toContextSection(event: SentryEvent): string[] {
  const section = openValueSection();
  const lines = listContexts(event)
    .filter(([name]) => name !== "flags" || readFeatureFlags(event.contexts?.flags) === null)
    .flatMap(([name, values]) => {
      const taken = section.take(values);
      return taken.length > 0 ? [`- **${escapeMarkdown(nameContext(name))}**: ${taken.join(", ")}`] : [];
    });
  return lines.length > 0 ? ["", "## Contexts", "", ...lines, ...section.sayMissing()] : [];
}

/** The variables of the frames nearest to the failure that have any. Frames of the application come first. */
function toVariableSection(event: SentryEvent): string[] {
  const withVars = (mainStack(event)?.frames ?? [])
    .filter(({ vars }) => vars && Object.keys(vars).length > 0)
    .reverse();
  const inApp = withVars.filter((frame) => frame.in_app);
  const shown = (inApp.length > 0 ? inApp : withVars).slice(0, VARIABLE_FRAMES);
  const others = withVars.length - shown.length;
  const section = openValueSection();
  const lines = shown.flatMap((frame) => {
    const values = Object.entries(frame.vars ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const);
    const taken = section.take(values).map((value) => `- ${value}`);
    return taken.length > 0 ? ["", sayFrame(frame), "", ...taken] : [];
  });
  if (others > 0) lines.push("", `Those of ${others === 1 ? "1 more frame" : `${others} more frames`} are left out.`);
  return lines.length > 0 ? ["", "## Local variables", ...lines, ...section.sayMissing()] : [];
}

function listSourceContexts(event: SentryEvent): string[] {
  const frames = (mainStack(event)?.frames ?? [])
    .filter((frame) => frame.in_app && frame.context_line !== undefined)
    .slice(-CONTEXT_FRAMES)
    .reverse();
  return frames.flatMap((frame) => ["", sayFrame(frame), "", fence(toSource(frame))]);
}

function mainStack(event: SentryEvent): Stacktrace | undefined {
  return event.exception?.values.at(-1)?.stacktrace ?? event.stacktrace ?? pickThread(event)?.stacktrace;
}

function sayFrame(frame: Frame): string {
  return inlineCode(`${toFramePlace(frame) ?? "unknown"}${toFramePosition(frame)} in ${toFrameFunction(frame)}`);
}

function toSource(frame: Frame): string {
  const before = frame.pre_context ?? [];
  const first = (frame.lineno ?? before.length + 1) - before.length;
  return [...before, frame.context_line ?? "", ...(frame.post_context ?? [])]
    .map((line, index) => `${index === before.length ? ">" : " "} ${String(first + index).padStart(5)} ${line}`)
    .join("\n");
}
