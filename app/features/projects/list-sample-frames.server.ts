import type { Workspace } from "../../access/workspace.ts";
import type { Frame, SentryEvent } from "../../domain/event.ts";
import { pickThread } from "../../domain/pick-thread.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { SourcePlace } from "../../domain/source-link.ts";
import { toSearchedPath } from "../../ownership/find-suspects.ts";

/** A frame that the project has sent, as an example of where links lead. */
export interface SampleFrame {
  place: SourcePlace;
  /** The commit or ref that its release was built from. Null: it is not known. */
  revision: string | null;
}

const MAX_SAMPLES = 5;
const MAX_ISSUES = 3;
/** Milliseconds. The page that waits is about something else. */
const MAP_LIMIT_MS = 250;

type SampleEngine = Workspace;

/** Frames of the application from the most recent issues, from as many folders as possible. Empty before the first event. */
export async function listSampleFrames(workspace: SampleEngine, projectId: number): Promise<SampleFrame[]> {
  const { issues } = await workspace.state.issues.listIssues(narrowScope(workspace.scope, [projectId]), {
    from: null,
    to: null,
    sort: "last_seen",
    cursor: null,
    limit: MAX_ISSUES,
  });
  const found = await Promise.all(issues.map(({ id }) => readSamples(workspace, projectId, id)));
  return pickSamples(found.flat());
}

async function readSamples(workspace: SampleEngine, projectId: number, issueId: number): Promise<SampleFrame[]> {
  const row = await workspace.events.findEdge(
    { projectIds: narrowScope(workspace.scope, [projectId]).projectIds, issueId, from: null, to: null },
    "latest",
  );
  const stored = row && (await workspace.payloads.readEvent(row.payload));
  if (!stored) return [];
  const { event } = (await workspace.symbolicate(stored, { projectId, limitMs: MAP_LIMIT_MS })).stored;
  const version = cleanReleaseVersion(event.release ?? "");
  const release = version === null ? null : await workspace.state.releases.getRelease(workspace.scope, version);
  const revision = release?.ref ?? release?.lastCommitId ?? null;
  return listOwnFrames(event).map(({ filename, abs_path, lineno, colno }) => ({
    place: {
      ...(filename === undefined ? {} : { filename }),
      ...(abs_path === undefined ? {} : { abs_path }),
      ...(lineno === undefined ? {} : { lineno }),
      ...(colno === undefined ? {} : { colno }),
    },
    revision,
  }));
}

/** The application's frames, newest call first. */
function listOwnFrames(event: SentryEvent): Frame[] {
  const thrown = (event.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace ?? []).reverse();
  const other = event.stacktrace ?? pickThread(event)?.stacktrace;
  return (thrown.length > 0 ? thrown : other ? [other] : [])
    .flatMap(({ frames }) => frames.toReversed())
    .filter((frame) => frame.in_app && frame.lineno !== undefined && (frame.filename ?? frame.abs_path) !== undefined);
}

/** Picks one frame of each folder first, then others. */
function pickSamples(samples: readonly SampleFrame[]): SampleFrame[] {
  const pathOf = ({ place }: SampleFrame) => place.filename ?? place.abs_path ?? "";
  const byPath = new Map(samples.toReversed().map((sample) => [pathOf(sample), sample]));
  const distinct = [...byPath.values()].toReversed();
  const folders = new Set<string>();
  const first = distinct.filter((sample) => {
    const folder = toSearchedPath(pathOf(sample)).split("/").slice(0, -1).join("/");
    return !folders.has(folder) && folders.add(folder);
  });
  return [...new Set([...first, ...distinct])].slice(0, MAX_SAMPLES);
}
