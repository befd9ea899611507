import type { Workspace } from "../../access/workspace.ts";
import type { Frame, SentryEvent, Stacktrace } from "../../domain/event.ts";
import type { Commit, Release } from "../../domain/release.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";
import type { SourceLinks } from "../../domain/source-link.ts";
import { findCommitUrl } from "../releases/find-commit-url.ts";
import { rankSuspects } from "./rank-suspects.ts";
import { pickThread } from "./stack-text.ts";

/** The repository, release and mappings of the code that an event came from. */
export interface EventCode {
  /** Null: the project has no links into a repository. */
  links: SourceLinks | null;
  /** The commit or ref that the event's release was built from; null: not known. */
  revision: string | null;
  suspects: SuspectCommit[];
}

/** A commit that changed a file that the event's stack goes through. */
export interface SuspectCommit extends Omit<Commit, "files"> {
  url: string | null;
  /** The frame nearest to the crash that it touched, as that names its file, and the file as committed. */
  framePath: string;
  frameFunction: string | null;
  path: string;
}

/** Frames that are looked at, from the crash on. */
const MAX_PATHS = 50;

export async function getEventCode(
  workspace: Workspace,
  { projectId, event }: { projectId: number; event: SentryEvent },
): Promise<EventCode> {
  const { state, scope } = workspace;
  const version = cleanReleaseVersion(event.release ?? "");
  const [project, release] = await Promise.all([
    state.projects.getProject(scope, projectId),
    version === null ? null : state.releases.getRelease(scope, version),
  ]);
  return {
    links: project?.sourceLinks ?? null,
    revision: release?.ref ?? release?.lastCommitId ?? null,
    suspects: release ? await findSuspects(workspace, { release, event, links: project?.sourceLinks ?? null }) : [],
  };
}

async function findSuspects(
  { state, scope }: Workspace,
  { release, event, links }: { release: Release; event: SentryEvent; links: SourceLinks | null },
): Promise<SuspectCommit[]> {
  const frames = listOwnFrames(event);
  if (frames.length === 0) return [];
  const paths = [...new Set(frames.map(({ path }) => path))].slice(0, MAX_PATHS);
  const found = await state.releases.findCommitsByPath(scope, release.version, paths);
  return rankSuspects(found, paths).map(({ files: _, askedPath, ...commit }) => ({
    ...commit,
    framePath: askedPath,
    frameFunction: frames.find(({ path }) => path === askedPath)?.frame.function ?? null,
    url: findCommitUrl([{ sourceLinks: links }], commit),
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
