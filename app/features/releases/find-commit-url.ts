import type { Project } from "../../domain/project.ts";
import type { Commit } from "../../domain/release.ts";
import { isSameRepository, toCommitUrl } from "../../domain/source-link.ts";

/** By the first of the projects whose repository the commit is of; null without one. */
export function findCommitUrl(
  projects: ReadonlyArray<Pick<Project, "sourceLinks">>,
  commit: Pick<Commit, "id" | "repository">,
): string | null {
  for (const { sourceLinks } of projects) {
    if (sourceLinks && isSameRepository(sourceLinks, commit.repository)) return toCommitUrl(sourceLinks, commit.id);
  }
  return null;
}
