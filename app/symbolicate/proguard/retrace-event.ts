import type { Frame, SentryException } from "../../domain/event.ts";
import { decideMappedInApp } from "../../domain/in-app.ts";
import type { RetraceReport } from "../../domain/symbolication.ts";
import { isSymbolicated, type SymbolicationEvent } from "../collect-frames.ts";
import { replaceStack } from "../replace-stack.ts";
import { collectJavaStacks } from "./java-stacks.ts";
import type { MappingWork } from "./load-mappings.ts";
import {
  type EventMappings,
  openMappings,
  type RetracedStack,
  retraceClassName,
  retraceFrames,
} from "./retrace-frames.ts";

/**
 * Restores the names of classes and methods, the lines, and the calls that the compiler inlined, in all stack traces of Java and Kotlin,
 * and the names of exceptions. The sent frames stay as `raw_stacktrace`, and are mapped again when the event comes again.
 */
export function retraceEvent<Event extends SymbolicationEvent>(
  event: Event,
  works: readonly MappingWork[],
): { event: Event; report: RetraceReport | null } {
  if (works.length === 0) return { event, report: null };
  const read = works.flatMap(({ mapping }) => mapping ?? []);
  const mappings = openMappings(read);
  const report: RetraceReport = { mappings: works.map((work) => work.report), frameCount: 0, foundCount: 0 };
  let next = read.length === 0 ? event : withOriginalExceptions(event, mappings);
  for (const stack of collectJavaStacks(event)) {
    const { frames } = stack.raw;
    report.frameCount += frames.length;
    if (read.length === 0) continue;
    const exception = stack.place.kind === "exception" ? next.exception?.values[stack.place.index] : undefined;
    const retraced = retraceFrames(frames, mappings, exception === undefined ? null : nameOf(exception));
    report.foundCount += retraced.foundCount;
    const decided = decideFrames(retraced, event.platform);
    if (retraced.foundCount === 0 || JSON.stringify(decided) === JSON.stringify(stack.current.frames)) continue;
    next = replaceStack(next, stack, { ...stack.raw, frames: decided });
  }
  return { event: next, report };
}

/** A client decides by the shortened name whether a frame is the app's own, so it knows of none. */
function decideFrames({ frames }: RetracedStack, platform: string): Frame[] {
  return frames.map((frame) =>
    isSymbolicated(frame) ? { ...frame, in_app: decideMappedInApp({ ...frame, in_app: true }, platform) } : frame,
  );
}

function withOriginalExceptions<Event extends SymbolicationEvent>(event: Event, mappings: EventMappings): Event {
  const values = event.exception?.values;
  if (values === undefined) return event;
  const named = values.map((exception) => withOriginalName(exception, mappings));
  return named.every((exception, index) => exception === values[index])
    ? event
    : { ...event, exception: { ...event.exception, values: named } };
}

function withOriginalName(exception: SentryException, mappings: EventMappings): SentryException {
  const { raw_type: rawType, raw_module: rawModule, type, module, ...rest } = exception;
  const sent = rawType === undefined ? { type, module } : { type: rawType, module: rawModule };
  const name = nameOf(sent);
  const original = name === null ? null : retraceClassName(name, mappings);
  if (original === null || original === name) return exception;
  const dot = original.lastIndexOf(".");
  const originalType = original.slice(dot + 1);
  const originalModule = dot === -1 ? undefined : original.slice(0, dot);
  if (type === originalType && module === originalModule) return exception;
  return {
    ...rest,
    type: originalType,
    ...(originalModule === undefined ? {} : { module: originalModule }),
    raw_type: sent.type ?? "",
    ...(sent.module === undefined ? {} : { raw_module: sent.module }),
  };
}

/** `com.example.Refused`; null: the exception has no type. */
function nameOf({ type, module }: Pick<SentryException, "type" | "module">): string | null {
  if (type === undefined) return null;
  return module === undefined || module === "" ? type : `${module}.${type}`;
}
