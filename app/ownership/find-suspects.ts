import type { Frame, SentryEvent, Stacktrace } from "../domain/event.ts";
import { pickThread } from "../domain/pick-thread.ts";
import type { Commit } from "../domain/release.ts";
import type { Scope } from "../domain/scope.ts";
import type { State } from "../stores/state/state.ts";
import { rankSuspects } from "./rank-suspects.ts";

/** A commit that changed a file that the event's stack goes through. */
export interface SuspectCommit extends Omit<Commit, "files"> {
  /** The function of the frame nearest to the crash that it touched, and the file as committed. */
  frameFunction: string | null;
  path: string;
}

/** Frames that are looked at, from the crash on. */
const MAX_PATHS = 50;

/** Of the event's release. */
export async function findSuspects(
  { state, scope }: { state: Pick<State, "releases">; scope: Scope },
  { version, event }: { version: string; event: SentryEvent },
): Promise<SuspectCommit[]> {
  const frames = listOwnFrames(event);
  if (frames.length === 0) return [];
  const paths = [...new Set(frames.map(({ path }) => path))].slice(0, MAX_PATHS);
  const found = await state.releases.findCommitsByPath(scope, version, paths);
  return rankSuspects(found, paths).map(({ files: _, askedPath, ...commit }) => ({
    ...commit,
    frameFunction: frames.find(({ path }) => path === askedPath)?.frame.function ?? null,
  }));
}

/** Frames of the application, the one that failed first, of the exception that was thrown last first. */
function listOwnFrames(event: SentryEvent): Array<{ frame: Frame; path: string }> {
  const exceptions = [...(event.exception?.values ?? [])].reverse().map(({ stacktrace }) => stacktrace);
  const stacks: Array<Stacktrace | undefined> =
    exceptions.length > 0 ? exceptions : [event.stacktrace ?? pickThread(event)?.stacktrace];
  return stacks.flatMap((stack) =>
    [...(stack?.frames ?? [])].reverse().flatMap((frame) => {
      const path = frame.in_app ? toSearchedPath(frame.filename ?? frame.abs_path ?? "") : "";
      return path === "" ? [] : [{ frame, path }];
    }),
  );
}

/** A path as the store compares them: with slashes, and without a scheme or what bundlers add behind. */
export function toSearchedPath(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/[?#].*$/s, "")
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "")
    .replace(/^[a-z]:/i, "");
}
