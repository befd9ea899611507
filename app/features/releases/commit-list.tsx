import { Disclosure } from "../../ui/disclosure.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { SHORT_COMMIT_LENGTH } from "../issues/resolution-words.ts";
import type { CommitItem, FixedIssue } from "./list-release-commits.server.ts";

const CHANGES = { A: "added", M: "changed", D: "deleted" } as const;

/** Commits with author and changed files, newest first. */
export function CommitList({ commits }: { commits: readonly CommitItem[] }) {
  return (
    <ol aria-label="Commits" className="divide-y divide-line">
      {commits.map((commit) => (
        <li key={`${commit.repository} ${commit.id}`} className="grid gap-1 px-4 py-2.5 text-sm">
          <CommitLine commit={commit} />
          {commit.fileCount > 0 && (
            <Disclosure
              summary={
                <span className="text-muted text-xs">
                  {commit.fileCount.toLocaleString("en")} {commit.fileCount === 1 ? "file" : "files"}
                </span>
              }
            >
              <ul className="grid gap-0.5 pt-1 pl-5 font-mono text-xs">
                {commit.files?.map((file, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a path may be there twice, and files do not move
                  <li key={index} className="wrap-anywhere">
                    {file.path} <span className="font-sans text-muted">{CHANGES[file.change]}</span>
                  </li>
                ))}
                {commit.fileCount > (commit.files?.length ?? 0) && (
                  <li className="font-sans text-muted">
                    and {(commit.fileCount - (commit.files?.length ?? 0)).toLocaleString("en")} more
                  </li>
                )}
              </ul>
            </Disclosure>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Message, author and time of a commit, and its hash. The hash is a link if its page is known. */
export function CommitLine({
  commit,
}: {
  commit: Omit<CommitItem, "files" | "fileCount" | "fixes"> & { fixes?: readonly FixedIssue[] };
}) {
  const [title = "", ...rest] = commit.message.trim().split("\n");
  const body = rest.join("\n").trim();
  // Nothing but the id is known of a commit that was named without a list.
  const isBare = !title && commit.authorName === null && commit.authorEmail === null;
  const hash = <code title={commit.id}>{commit.id.slice(0, SHORT_COMMIT_LENGTH)}</code>;
  return (
    <div className="grid min-w-0 gap-0.5">
      <p className="wrap-anywhere">
        {title ? (
          <MessageText text={title} fixes={commit.fixes} />
        ) : (
          <span className="text-muted">{isBare ? "Only its hash is known" : "(no message)"}</span>
        )}
      </p>
      {body && (
        <p className="line-clamp-3 whitespace-pre-line text-muted text-xs">
          <MessageText text={body} fixes={commit.fixes} />
        </p>
      )}
      <p className="flex flex-wrap gap-x-2 text-muted text-xs">
        {!isBare && (
          <>
            <span title={commit.authorEmail ?? undefined}>
              {commit.authorName ?? commit.authorEmail ?? "unknown author"}
            </span>
            <RelativeTime at={commit.at} />
          </>
        )}
        {commit.url === null ? (
          hash
        ) : (
          <a href={commit.url} rel="noreferrer" className="text-link">
            {hash}
          </a>
        )}
        {commit.repository && <span className="wrap-anywhere font-mono">{commit.repository}</span>}
      </p>
    </div>
  );
}

/** The text of a message. Links replace the issues that it says it fixes. */
function MessageText({ text, fixes = [] }: { text: string; fixes?: readonly FixedIssue[] | undefined }) {
  const [fix, ...others] = fixes;
  if (fix === undefined) return <bdi>{text}</bdi>;
  const at = text.search(new RegExp(`(?<![\\w-])${fix.text}(?![\\w-])`));
  if (at < 0) return <MessageText text={text} fixes={others} />;
  return (
    <>
      <MessageText text={text.slice(0, at)} fixes={others} />
      <TextLink to={`/issues/${fix.issueId}`}>{fix.text}</TextLink>
      <MessageText text={text.slice(at + fix.text.length)} fixes={others} />
    </>
  );
}
