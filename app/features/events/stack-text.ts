import type { Frame, SentryEvent, SentryException, Stacktrace, Thread } from "../../domain/event.ts";
import { toFrameFunction, toFramePlace, toFramePosition } from "./frame-words.ts";

/** `TypeError: x is undefined`, or whichever of both there is. */
export function toExceptionLine(exception: SentryException): string {
  const type = exception.type ?? "Error";
  return exception.value ? `${type}: ${exception.value}` : type;
}

/**
 * The stack traces of an event as plain text, the way the platform's own runtime prints them as far as that is common:
 * Python reads oldest first, everything else newest first; causes follow what they caused.
 */
export function toStackText(event: SentryEvent): string {
  const exceptions = [...(event.exception?.values ?? [])].reverse();
  const parts = exceptions.map((exception, index) => toExceptionText(exception, event.platform, index > 0));
  if (parts.length === 0) {
    const stack = event.stacktrace ?? pickThread(event)?.stacktrace;
    if (stack) parts.push(toFrameLines(stack, event.platform).join("\n"));
  }
  return parts.join("\n");
}

function toExceptionText(exception: SentryException, platform: string, isCause: boolean): string {
  const lines = exception.stacktrace ? toFrameLines(exception.stacktrace, platform) : [];
  const head = toExceptionLine(exception);
  if (platform === "python") {
    return [
      ...(isCause ? ["", "Caused by:"] : []),
      ...(lines.length > 0 ? ["Traceback (most recent call last):"] : []),
      ...lines,
      head,
    ].join("\n");
  }
  return [isCause ? `Caused by: ${head}` : head, ...lines].join("\n");
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

/** The thread that crashed, else the current one, else the only one. */
export function pickThread(event: SentryEvent): Thread | undefined {
  const threads = event.threads?.values ?? [];
  return (
    threads.find((thread) => thread.crashed) ??
    threads.find((thread) => thread.current) ??
    (threads.length === 1 ? threads[0] : undefined)
  );
}

const CONTEXT_FRAMES = 3;

/**
 * An event as Markdown that a colleague or a tool can work with: what, where, how often it was seen is not part of it.
 * `link` leads back to the event.
 */
export function toEventMarkdown(event: SentryEvent, { title, link }: { title: string; link: string }): string {
  const facts: Array<[string, string | undefined]> = [
    ["Event", event.event_id],
    ["Time", new Date(event.timestamp * 1000).toISOString()],
    ["Level", event.level],
    ["Environment", event.environment],
    ["Release", event.release],
    ["Transaction", event.transaction],
    ["Request", event.request?.url && `${event.request.method ?? "GET"} ${event.request.url}`],
    ["User", event.user && (event.user.id ?? event.user.email ?? event.user.username ?? event.user.ip_address)],
  ];
  const lines = [`# ${escapeMarkdown(title)}`, "", `<${link}>`, ""];
  for (const [name, value] of facts) if (value) lines.push(`- **${name}**: ${inlineCode(value)}`);
  const message = event.logentry?.formatted ?? event.logentry?.message;
  if (message && !event.exception) lines.push("", fence(message));
  const stack = toStackText(event);
  if (stack) lines.push("", "## Stack trace", "", fence(stack));
  const sources = listSourceContexts(event);
  if (sources.length > 0) lines.push("", "## Source", ...sources);
  const crumbs = event.breadcrumbs?.values ?? [];
  if (crumbs.length > 0) {
    lines.push("", "## Breadcrumbs", "");
    for (const crumb of crumbs.slice(-20)) {
      const at = crumb.timestamp === undefined ? "" : `${new Date(crumb.timestamp * 1000).toISOString()} `;
      const text = crumb.message ?? (crumb.data ? JSON.stringify(crumb.data) : "");
      lines.push(`- ${at}${inlineCode(`${crumb.category ?? crumb.type}: ${text}`.slice(0, 300))}`);
    }
  }
  if (event.tags && event.tags.length > 0) {
    lines.push("", "## Tags", "");
    for (const [key, value] of event.tags) lines.push(`- ${inlineCode(`${key}: ${value}`)}`);
  }
  return `${lines.join("\n")}\n`;
}

function listSourceContexts(event: SentryEvent): string[] {
  const stack = event.exception?.values.at(-1)?.stacktrace ?? event.stacktrace ?? pickThread(event)?.stacktrace;
  const frames = (stack?.frames ?? [])
    .filter((frame) => frame.in_app && frame.context_line !== undefined)
    .slice(-CONTEXT_FRAMES)
    .reverse();
  return frames.flatMap((frame) => [
    "",
    inlineCode(`${toFramePlace(frame) ?? "unknown"}${toFramePosition(frame)} in ${toFrameFunction(frame)}`),
    "",
    fence(toSource(frame)),
  ]);
}

function toSource(frame: Frame): string {
  const before = frame.pre_context ?? [];
  const first = (frame.lineno ?? before.length + 1) - before.length;
  return [...before, frame.context_line ?? "", ...(frame.post_context ?? [])]
    .map((line, index) => `${index === before.length ? ">" : " "} ${String(first + index).padStart(5)} ${line}`)
    .join("\n");
}

/** A fence longer than any run of backticks inside, so that nothing in the text can end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

function inlineCode(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, " ").trim();
  const longest = Math.max(0, ...[...oneLine.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return longest > 0 ? `${ticks} ${oneLine} ${ticks}` : `${ticks}${oneLine}${ticks}`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/([\\`*_[\]<>#|])/g, "\\$1");
}
