import type { Release } from "../../domain/release.ts";
import { isCommitHash } from "../../domain/repository.ts";
import { Notice } from "../../ui/notice.tsx";
import { SHORT_COMMIT_LENGTH } from "../issues/resolution-words.ts";

/** Repositories for which the build named only the newest commit, so that nobody looks for the others here. */
export function ReleaseHeadsNote({ heads }: Pick<Release, "heads">) {
  const unknown = heads.filter(({ hasCommits }) => !hasCommits);
  if (unknown.length === 0) return null;
  return (
    <Notice tone="info" title="The build sent no list of commits" className="mb-3">
      <ul className="grid gap-1">
        {unknown.map(({ repository, commitId, previousCommitId }) => (
          <li key={repository} className="wrap-anywhere">
            Of <span className="font-mono">{repository}</span> it named <CommitName name={commitId} />
            {previousCommitId && (
              <>
                , after <CommitName name={previousCommitId} />
              </>
            )}
            {!isCommitHash(commitId) && ", which is no commit’s hash"}.
          </li>
        ))}
      </ul>
      <p className="pt-1">
        Culprit asks no code host, so the commits between and their files are not known.{" "}
        <code>sentry-cli releases set-commits --local</code> sends them.
      </p>
    </Notice>
  );
}

function CommitName({ name }: { name: string }) {
  return <code title={name}>{isCommitHash(name) ? name.slice(0, SHORT_COMMIT_LENGTH) : name}</code>;
}
