import type { Release } from "../../domain/release.ts";
import { quoteWord } from "../../symbolicate/upload-command.ts";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CommitList } from "./commit-list.tsx";
import type { CommitItem } from "./list-release-commits.server.ts";
import { ReleaseHeadsNote } from "./release-heads-note.tsx";

export function ReleaseCommitsTab({ release, commits }: { release: Release; commits: readonly CommitItem[] }) {
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
        <p className="pt-2 text-muted text-xs">
          The newest {commits.length} of {release.commitCount.toLocaleString("en")}.
        </p>
      )}
    </>
  );
}
