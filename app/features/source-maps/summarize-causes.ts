import type { Fix } from "../../symbolicate/explain-report.ts";
import { describeRelease, withDashes } from "../../symbolicate/upload-command.ts";
import type { FileDoctor, FrameDoctor } from "./event-doctor.ts";

/** One reason why frames cannot be read. */
export interface StackCause {
  /** A sentence with the number of frames. */
  text: string;
  frameCount: number;
  /** The fixes, likeliest first. */
  fixes: Fix[];
  /** Whether the cause may be temporary. */
  isPassing: boolean;
}

interface Cause {
  /** Frames with the same key have one cause. */
  key: string;
  /** The words after "All 14 frames", for one frame and for several. */
  one: string;
  many: string;
  isPassing?: boolean;
}

const MAX_NAMED_IDS = 2;

/** The causes of unreadable in-app frames, most frames first. Frames of libraries do not count. */
export function summarizeCauses(frames: readonly FrameDoctor[]): StackCause[] {
  const own = frames.filter(({ isOwn, file }) => isOwn && file !== null);
  const unreadable = own.filter(({ isUnreadable }) => isUnreadable);
  const mappableCount = own.length;
  const groups = Map.groupBy(unreadable, (frame) => findCause(frame).key);
  return [...groups.values()]
    .map((group): StackCause => {
      const [first] = group as [FrameDoctor, ...FrameDoctor[]];
      const files = [...new Set(group.map(({ file }) => file as FileDoctor))];
      const cause = findCause(first);
      const predicate = cause.key === "debug-id" ? describeIds(files, group.length) : pick(cause, group.length);
      return {
        text: `${countOf(group.length, mappableCount)} ${predicate}`,
        frameCount: group.length,
        fixes: first.explained?.fixes ?? [],
        isPassing: cause.isPassing ?? false,
      };
    })
    .sort((a, b) => b.frameCount - a.frameCount);
}

function findCause({ file, report, explained }: FrameDoctor): Cause {
  if (file === null) return { key: "none", one: "has no file.", many: "have no file." };
  const { identity, upload, sourceMap } = file.report;
  const release = describeRelease(identity.release, identity.dist);
  if (upload.state === "timed_out" || sourceMap.state === "timed_out")
    return {
      key: "late",
      one: "was not looked up in time; the next look may have it.",
      many: "were not looked up in time; the next look may have them.",
      isPassing: true,
    };
  if (identity.state === "missing") {
    const what = "neither a debug id nor a release: nothing says which upload belongs to";
    return { key: "no-identity", one: `has ${what} it.`, many: `have ${what} them.` };
  }
  if (upload.state !== "found") {
    const [nearest] = upload.nearMisses;
    if (nearest !== undefined) {
      const tail = `: ${file.summary}`;
      return {
        key: `near:${nearest.kind}:${release}`,
        one: `nearly fits an upload${tail}`,
        many: `nearly fit an upload${tail}`,
      };
    }
    if (identity.debugId !== null) return { key: "debug-id", one: "", many: "" };
    const what = `for source maps of ${release}`;
    return { key: `release:${release}`, one: `waits ${what}.`, many: `wait ${what}.` };
  }
  if (sourceMap.state !== "found") {
    const tail = `without a source map that can be used: ${file.summary}`;
    return { key: `map:${file.index}`, one: `is ${tail}`, many: `are ${tail}` };
  }
  const summary = explained?.summary ?? file.summary;
  const error = report.mapping.error ?? report.mapping.state;
  const words =
    error === "no_column" ? "without a column, and a minified line has many." : `not in the source map: ${summary}`;
  return {
    key: `mapping:${error}:${error === "no_column" ? "" : file.index}`,
    one: `is ${words}`,
    many: `are ${words}`,
  };
}

function describeIds(files: readonly FileDoctor[], frameCount: number): string {
  const ids = [...new Set(files.map(({ report }) => report.identity.debugId))].filter((id) => id !== null);
  const named = ids.slice(0, MAX_NAMED_IDS).map(withDashes);
  const rest = ids.length - named.length;
  const list = rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(" and ");
  const verb = frameCount === 1 ? "waits" : "wait";
  return ids.length === 1
    ? `${verb} for the source map of debug id ${list}.`
    : `${verb} for the source maps of debug ids ${list}.`;
}

/** The number of frames in words: `All 14 frames`, `9 of 14 frames`, `The frame`. It counts frames that could have a source map. */
function countOf(count: number, all: number): string {
  if (all === 1) return "The frame";
  return count === all ? `All ${all} frames` : `${count} of ${all} frames`;
}

function pick({ one, many }: Cause, count: number): string {
  return count === 1 ? one : many;
}
