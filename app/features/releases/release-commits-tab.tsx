import { quoteWord } from "../../domain/quote-for-shell.ts";
import type { Release } from "../../domain/release.ts";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { CommitList } from "./commit-list.tsx";
import type { CommitItem } from "./list-release-commits.server.ts";
import { ReleaseHeadsNote } from "./release-heads-note.tsx";
import { COMMITS_ON_PAGE, toReleasePath } from "./release-paths.ts";

export function ReleaseCommitsTab({
  release,
  page,
  commits,
}: {
  release: Release;
  page: number;
  commits: readonly CommitItem[];
}) {
  if (commits.length === 0) {
    return (
      <div className="mx-auto grid w-full max-w-prose gap-3 py-8">
        <ReleaseHeadsNote heads={release.heads} />
        <h2 className="text-lg">No commits yet</h2>
        <p className="text-muted text-sm">
          Your build can send the commits of a release. Then you can resolve issues by a commit, and an event’s page
          names the commits that touched its code.
        </p>
        <CodeBlock code={`sentry-cli releases set-commits ${quoteWord(release.version)} --local`} label="Command" />
      </div>
    );
  }
  return (
    <>
      <ReleaseHeadsNote heads={release.heads} />
      <Card>
        <CommitList commits={commits} />
      </Card>
      {release.commitCount > commits.length && (
        <CommitPages release={release} page={page} listedCount={commits.length} />
      )}
    </>
  );
}

function CommitPages({
  release: { version, commitCount },
  page,
  listedCount,
}: {
  release: Release;
  page: number;
  listedCount: number;
}) {
  const path = toReleasePath(version, "commits");
  const first = (page - 1) * COMMITS_ON_PAGE + 1;
  const last = first + listedCount - 1;
  return (
    <Pagination
      label="Pages of commits"
      previousTo={page > 1 ? `${path}?page=${page - 1}` : null}
      nextTo={last < commitCount ? `${path}?page=${page + 1}` : null}
    >
      {first.toLocaleString("en")} to {last.toLocaleString("en")} of {commitCount.toLocaleString("en")}, newest first
    </Pagination>
  );
}
