import type { Frame, SentryEvent, Stacktrace, Thread } from "../../domain/event.ts";
import { leftOutReason, panicMachineryStart } from "./left-out-frames.ts";
import { platformFamily } from "./platform-family.ts";

/**
 * The frame that names the place: the last that is in the app and that no rule leaves out, else the last in the app, else
 * the last.
 */
export function crashFrameOf(stacktrace: Stacktrace, platform: string): Frame | null {
  const { frames } = stacktrace;
  let lastInApp: Frame | null = null;
  const end = platformFamily(platform) === "native" ? panicMachineryStart(frames) : frames.length;
  for (let i = end - 1; i >= 0; i--) {
    const frame = frames[i];
    if (frame?.in_app !== true) continue;
    const own = frame.platform ?? platform;
    if (leftOutReason(frame, platformFamily(own), own === "javascript") === null) return frame;
    lastInApp ??= frame;
  }
  return lastInApp ?? frames.findLast(({ in_app }) => in_app === true) ?? frames.at(-1) ?? null;
}

/** The stack of an event without regard to which counts: that of the last exception, of the event, of the only thread. */
export function mainStackOf(event: SentryEvent): Stacktrace | null {
  return event.exception?.values.at(-1)?.stacktrace ?? event.stacktrace ?? mainThreadOf(event)?.stacktrace ?? null;
}

/** The single crashed thread, else the single current one, else the only one (protocol 6.4). */
export function mainThreadOf(event: SentryEvent): Thread | null {
  const threads = event.threads?.values ?? [];
  return (
    onlyOne(threads, ({ crashed }) => crashed === true) ??
    onlyOne(threads, ({ current }) => current === true) ??
    (threads.length === 1 ? (threads[0] ?? null) : null)
  );
}

function onlyOne(threads: readonly Thread[], matches: (thread: Thread) => boolean): Thread | null {
  const found = threads.filter(matches);
  return found.length === 1 ? (found[0] ?? null) : null;
}
