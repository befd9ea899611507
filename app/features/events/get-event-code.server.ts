import type { Workspace } from "../../access/workspace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";
import type { SourceLinks } from "../../domain/source-link.ts";
import { findSuspects, type SuspectCommit } from "../../ownership/find-suspects.ts";
import { findCommitUrl } from "../releases/find-commit-url.ts";

/** The repository, release and mappings of the code that an event came from. */
export interface EventCode {
  /** Null: the project has no links into a repository. */
  links: SourceLinks | null;
  /** The commit or ref that the event's release was built from. Null: it is not known. */
  revision: string | null;
  suspects: LinkedSuspect[];
}

export interface LinkedSuspect extends SuspectCommit {
  url: string | null;
}

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
  const links = project?.sourceLinks ?? null;
  const suspects = release ? await findSuspects(workspace, { version: release.version, event }) : [];
  return {
    links,
    revision: release?.ref ?? release?.lastCommitId ?? null,
    suspects: suspects.map((commit) => ({ ...commit, url: findCommitUrl([{ sourceLinks: links }], commit) })),
  };
}
