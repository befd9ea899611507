import type { Project } from "../../domain/project.ts";
import type { Commit } from "../../domain/release.ts";
import { isSameRepository, toCommitUrl } from "../../domain/source-link.ts";

/** The address of a commit, from the first project with its repository. Null: there is no such project. */
export function findCommitUrl(
  projects: ReadonlyArray<Pick<Project, "sourceLinks">>,
  commit: Pick<Commit, "id" | "repository">,
): string | null {
  for (const { sourceLinks } of projects) {
    if (sourceLinks && isSameRepository(sourceLinks, commit.repository)) return toCommitUrl(sourceLinks, commit.id);
  }
  return null;
}
