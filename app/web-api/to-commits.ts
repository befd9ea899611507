import { z } from "zod";
import type { Commit } from "../domain/release.ts";

/** Limit of one commit; see `Commit.files`. */
const MAX_FILES = 1000;
const MAX_PATH_LENGTH = 1000;
const MAX_AUTHOR_LENGTH = 200;
/** The longest message of a commit: only its first lines are shown. Characters. */
const MAX_MESSAGE_LENGTH = 4000;

export const commitIn = z.object({
  id: z.string().min(1).max(64),
  repository: z.string().max(200).nullish(),
  author_name: z.string().nullish(),
  author_email: z.string().nullish(),
  timestamp: z.iso.datetime({ offset: true, local: true, error: "must be a date and time of RFC 3339" }).nullish(),
  message: z.string().nullish(),
  patch_set: z.array(z.object({ path: z.string(), type: z.string().describe("`A`, `M` or `D`") })).nullish(),
});

/** Cuts what is too long, because nobody can change the history of a repository. A commit without a time gets `now`. */
export function toCommits(commits: ReadonlyArray<z.output<typeof commitIn>>, now: number): Commit[] {
  return commits.map((commit) => ({
    id: commit.id,
    repository: commit.repository ?? "",
    authorName: commit.author_name?.slice(0, MAX_AUTHOR_LENGTH) || null,
    authorEmail: commit.author_email?.slice(0, MAX_AUTHOR_LENGTH) || null,
    at: (commit.timestamp ? Date.parse(commit.timestamp) : Number.NaN) || now,
    message: (commit.message ?? "").slice(0, MAX_MESSAGE_LENGTH),
    files: commit.patch_set
      ? commit.patch_set
          .slice(0, MAX_FILES)
          .map(({ path, type }) => ({ path: path.slice(0, MAX_PATH_LENGTH), change: toChange(type) }))
      : null,
  }));
}

function toChange(type: string): "A" | "M" | "D" {
  return type === "A" || type === "D" ? type : "M";
}
