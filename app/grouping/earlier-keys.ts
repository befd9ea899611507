import type { Frame, SentryEvent, Stacktrace } from "../domain/event.ts";
import type { EarlierKeys, GroupingContribution, GroupingExplanation } from "../domain/grouping.ts";
import { isForeignByRule, isOfHermes, isOfSdk } from "../domain/in-app.ts";
import { groupEventV1 } from "./v1/group-event-v1.ts";

/** The exact keys that version 1 gave the event, and the keys by which it looked for reports of other engines. */
export function earlierKeysOf(
  event: SentryEvent,
  current: GroupingExplanation,
): { earlier: EarlierKeys; seek: readonly string[] } {
  const { hashes, kin, explanation } = groupEventV1(asItWas(event));
  return { earlier: { hashes, isVague: isVague(explanation, current) }, seek: kin?.seek ?? [] };
}

/**
 * Whether the key of version 1 joins errors that have nothing to do with each other. Version 1 then saw nothing at all in the event, or
 * none of the frames that count now (machine code without names), or only frames that every thread runs through.
 */
function isVague(earlier: GroupingExplanation, current: GroupingExplanation): boolean {
  if (earlier.basis === "fingerprint" || earlier.basis === "checksum") return false;
  if (earlier.basis === "fallback") return current.basis !== "fallback";
  if (current.variant === null) return false;
  const counted = new Set<string>();
  for (const part of earlier.contributions) for (const sign of signsOf(part)) counted.add(sign);
  return !current.contributions.some((part) => signsOf(part).some((sign) => counted.has(sign)));
}

/** A frame by its place, and by its name: of repeated calls, the versions count different ones. */
function signsOf(part: GroupingContribution): string[] {
  if (part.kind !== "frame") return [];
  const { exception, frame, module, filename, function: name, contextLine } = part;
  const text = name ?? contextLine;
  const place = `${exception} ${frame}`;
  return text === undefined ? [place] : [place, `${module ?? filename ?? ""} ${text}`];
}

/** Frames of a stack in the time of version 1. Normalisation kept the innermost. */
const MAX_FRAMES = 250;

/** Undoes later changes of the normalisation: how much of a long stack is kept, and whether the client's word counts. */
function asItWas(event: SentryEvent): SentryEvent {
  const { exception, stacktrace, threads, platform } = event;
  const isOther = (stack: Stacktrace | undefined) =>
    stack !== undefined &&
    (stack.frames.length > MAX_FRAMES ||
      stack.frames.some((frame) => wasForeign(frame, platform) || wasOwn(frame, platform)));
  const before: SentryEvent = { ...event };
  if (exception?.values.some((value) => isOther(value.stacktrace)))
    before.exception = { values: exception.values.map((value) => withStackAsItWas(value, platform)) };
  if (threads?.values.some((value) => isOther(value.stacktrace)))
    before.threads = { values: threads.values.map((value) => withStackAsItWas(value, platform)) };
  if (isOther(stacktrace)) before.stacktrace = withStackAsItWas({ stacktrace }, platform).stacktrace;
  return before;
}

function withStackAsItWas<Owner extends { stacktrace?: Stacktrace }>(owner: Owner, platform: string): Owner {
  const { stacktrace } = owner;
  if (stacktrace === undefined) return owner;
  const frames = stacktrace.frames.slice(-MAX_FRAMES).map((frame) => {
    if (wasForeign(frame, platform)) return { ...frame, in_app: false };
    return wasOwn(frame, platform) ? { ...frame, in_app: true } : frame;
  });
  return { ...owner, stacktrace: { ...stacktrace, frames } };
}

function wasForeign(frame: Frame, platform: string): boolean {
  return frame.in_app === true && isForeignByRule(frame, platform);
}

function wasOwn(frame: Frame, platform: string): boolean {
  return frame.in_app === false && (isOfHermes(frame) || (isOfSdk(frame) && !isForeignByRule(frame, platform)));
}
